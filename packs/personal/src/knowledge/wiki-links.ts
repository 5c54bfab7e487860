import { nameKey } from '../name-key.ts'
import { withoutCode } from './markdown-note.ts'
import type { Json, Note } from './note.ts'

type WikiLink = {
  /** The name of the other note, as written in the text. */
  readonly title: string
  readonly key: string
  readonly relation: string
}

/** The relation of a link in the text of a note. */
const LINKS_TO = 'links_to'
const RELATION = /^[a-z][a-z0-9_]{0,39}$/
const LINK = /\[\[([^[\]|#^\n]{1,400})(?:[#^][^[\]|\n]{0,400})?(?:\|[^[\]\n]{0,400})?\]\]/g
const MOST = 1_000

/**
 * The links of a note: those in the text, and those in front matter properties, whose names are the
 * relations. Each is returned once.
 */
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
