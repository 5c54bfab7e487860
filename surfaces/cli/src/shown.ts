import type { FactChange } from '@surehand/core/host'
import { changeText, isRecord } from '@surehand/core/worker-entry'
import { safeText } from './safe-text.ts'

const LONG = 2_000
export type Shown = Readonly<Record<string, unknown>>

/** What the person who decides or answers must see, as core recorded it. */
export function parseShown({ shown }: { readonly shown: string }): Shown {
  const value: unknown = JSON.parse(shown)
  return typeof value === 'object' && value !== null ? (value as Shown) : {}
}

/**
 * Characters that core spelled out stay as they are; the rest is made safe again, since it may come
 * from a server and terminals obey escapes.
 */
export function shownLines(value: unknown): readonly string[] {
  return String(value ?? '')
    .split(/(⟨U\+[0-9A-F]{4,6}⟩)/)
    .map((part, index) => (index % 2 === 1 ? part : safeText(part)))
    .join('')
    .split('\n')
}

/** The same on one line. */
export function oneLine(value: unknown): string {
  return shownLines(value).join(' ').replaceAll('\t', ' ')
}

/** What differs from the facts that were approved before, if anything. */
export function changeLines(changed: unknown): readonly string[] {
  const changes = Array.isArray(changed) ? changed.filter(isRecord) : []
  if (changes.length === 0) return []
  return [
    '!! It was approved before, but this has changed since. Nothing has been done:',
    ...changes.map((change) => `  ${oneLine(changeText(change as FactChange))}`),
    '',
  ]
}

/** A value untruncated, one line for each name. */
export function valueLines(value: unknown): readonly string[] {
  if (typeof value === 'string') return textLines(value)
  if (Array.isArray(value))
    return value.length === 0
      ? ['(an empty list)']
      : value.flatMap((item, index) => memberLines(`${index + 1}.`, item))
  if (typeof value !== 'object' || value === null) return [String(value)]
  const members = Object.entries(value)
  return members.length === 0
    ? ['(empty)']
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
  const note = `!! A long text of ${text.length} characters follows. Read it to its end before you decide.`
  return [note, ...shownLines(text), '!! End of the long text.']
}
