import type { Approval } from '../../api/types.ts'
import { findLookAlikes, hasInvisibleCharacters } from '../../ui/untrusted-text.tsx'

/** What the approver must see, as the server stores it; invisible characters are spelled out. */
export type ShownRequest = {
  readonly title: string
  readonly version: string
  readonly reversible: boolean
  readonly effect: string
  readonly asked_by: string
  readonly actor: string
  readonly edited_by?: string
  readonly asks: string
  readonly summary?: Readonly<Record<string, unknown>>
  readonly consequence?: string
  readonly part_of?: readonly string[]
  readonly input: unknown
  readonly facts?: unknown
  readonly facts_hash?: string
  readonly changed?: readonly {
    readonly path: string
    readonly before?: unknown
    readonly after?: unknown
  }[]
}

/** The digest of a decision is made of this very text, so it is read and never made anew. */
export function readShown({ shown }: Pick<Approval, 'shown'>): ShownRequest {
  return JSON.parse(shown) as ShownRequest
}

// A person reads this much without overlooking something.
const LONG_TEXT = 2_000
const MANY_FIELDS = 60
const DEEP = 6
const ENCODED = /(?:[A-Za-z0-9+/]{80,}={0,2})|(?:%[0-9A-Fa-f]{2}){8,}|(?:\\u[0-9a-f]{4}){4,}/

/** Why a request deserves a close look, in sentences. They stand above everything else. */
export function findTraps(shown: ShownRequest): readonly string[] {
  const text = JSON.stringify(shown)
  const texts: string[] = []
  const { fields, depth } = measure(shown.input, texts)
  const longest = Math.max(0, ...texts.map(({ length }) => length))
  const lookAlikes = findLookAlikes(text)
  return [
    hasInvisibleCharacters(text) &&
      'It contains invisible or direction-changing characters. They are spelled out and marked.',
    lookAlikes.length > 0 &&
      'It contains words that mix letters of different alphabets which look alike. They are marked.',
    longest > LONG_TEXT &&
      `It contains a text of ${longest.toLocaleString()} characters. Something may hide in it.`,
    fields > MANY_FIELDS && `It has ${fields.toLocaleString()} fields. Look through all of them.`,
    depth > DEEP && `Its input is nested ${depth} levels deep.`,
    texts.some((one) => ENCODED.test(one)) &&
      'It contains encoded text, which says something else once it is decoded.',
  ].filter((sentence) => sentence !== false)
}

function measure(
  value: unknown,
  texts: string[],
): { readonly fields: number; readonly depth: number } {
  if (typeof value === 'string') texts.push(value)
  if (typeof value !== 'object' || value === null) return { fields: 1, depth: 0 }
  const members = Object.entries(value).map(([name, member]) => {
    texts.push(name)
    return measure(member, texts)
  })
  return {
    fields: members.reduce((sum, { fields }) => sum + fields, 0),
    depth: 1 + members.reduce((most, { depth }) => Math.max(most, depth), 0),
  }
}
