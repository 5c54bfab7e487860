import { nameKey } from '../name-key.ts'
import { withoutCode } from './markdown-note.ts'
import type { Json, Note } from './note.ts'

export type WikiLink = {
  /** As the text calls the other note. */
  readonly title: string
  readonly key: string
  readonly relation: string
}

/** A link that stands in the text of a note. */
export const LINKS_TO = 'links_to'
export const RELATION = /^[a-z][a-z0-9_]{0,39}$/
const LINK = /\[\[([^[\]|#^\n]{1,400})(?:[#^][^[\]|\n]{0,400})?(?:\|[^[\]\n]{0,400})?\]\]/g
const MOST = 1_000

/** What a note links to: in its text, and in the properties of its front matter, whose names are the relations. Each once. */
export function findLinks({
  body,
  properties,
}: Pick<Note, 'body' | 'properties'>): readonly WikiLink[] {
  const found = new Map<string, WikiLink>()
  const add = (text: string, relation: string): void => {
    for (const [, target = ''] of text.matchAll(LINK)) {
      const title = target
        .slice(target.lastIndexOf('/') + 1)
        .trim()
        .replace(/\.md$/i, '')
      const link = { title, key: nameKey(title), relation }
      if (title !== '' && found.size < MOST) found.set(`${relation}\n${link.key}`, link)
    }
  }
  for (const [name, value] of Object.entries(properties))
    for (const text of textsIn(value)) add(text, RELATION.test(name) ? name : LINKS_TO)
  add(withoutCode(body), LINKS_TO)
  return [...found.values()]
}

function textsIn(value: Json): readonly string[] {
  const parts = Array.isArray(value) ? value : [value]
  return parts.filter((part): part is string => typeof part === 'string')
}
