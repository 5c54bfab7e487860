import { safeText } from './safe-text.ts'

const LONG = 2_000
// core spells out every ⟨ of a text too, so these are its own and no text's
const SPELLED_OUT = /⟨U\+[0-9A-F]{4,6}⟩/

export const SPELLED_OUT_NOTE =
  '!! It holds invisible or direction-changing characters; they are spelled out as ⟨U+…⟩.'

export type Shown = Readonly<Record<string, unknown>>

/** What whoever decides or answers must see, as core wrote it down. */
export function parseShown({ shown }: { readonly shown: string }): Shown {
  const value: unknown = JSON.parse(shown)
  return typeof value === 'object' && value !== null ? (value as Shown) : {}
}

export function isSpelledOut({ shown }: { readonly shown: string }): boolean {
  return SPELLED_OUT.test(shown)
}

/** What core made visible is shown as it is; a server's own word is still looked at, since a terminal obeys escapes. */
export function shownLines(value: unknown): readonly string[] {
  return String(value ?? '')
    .split(/(⟨U\+[0-9A-F]{4,6}⟩)/)
    .map((part, index) => (index % 2 === 1 ? part : safeText(part)))
    .join('')
    .split('\n')
}

/** The same on one line. */
export function oneLine(value: unknown): string {
  return shownLines(value).join('⏎').replaceAll('\t', ' ')
}

/** A value, whole, a line for each name. */
export function valueLines(value: unknown): readonly string[] {
  if (typeof value === 'string') return textLines(value)
  if (Array.isArray(value))
    return value.length === 0
      ? ['(an empty list)']
      : value.flatMap((item, index) => memberLines(`${index + 1}.`, item))
  if (typeof value !== 'object' || value === null) return [String(value)]
  const members = Object.entries(value)
  return members.length === 0
    ? ['(nothing)']
    : members.flatMap(([name, member]) => memberLines(`${oneLine(name)}:`, member))
}

function memberLines(name: string, member: unknown): readonly string[] {
  const inner = valueLines(member)
  const isPlain = typeof member !== 'object' || member === null || Object.keys(member).length === 0
  return isPlain && inner.length === 1
    ? [`${name} ${inner[0]}`]
    : [name, ...inner.map((line) => `  ${line}`)]
}

function textLines(text: string): readonly string[] {
  if (text === '') return ['(an empty text)']
  if (text.length <= LONG) return shownLines(text)
  const note = `!! A long text of ${text.length} characters. All of it is here: read it to its end before you decide.`
  return [note, ...shownLines(text), '!! End of the long text.']
}
