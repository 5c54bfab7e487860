import type { Question } from './backend.ts'
import { safeLine, safeText } from './safe-text.ts'

const LONG = 2_000
// core spells out every ⟨ of a text too, so these are its own and no text's
const SPELLED_OUT = /⟨U\+[0-9A-F]{4,6}⟩/

const KINDS: Readonly<Record<string, string>> = {
  confirm: 'a confirmation',
  consent: 'consent, by the person it is asked of',
  admin: "an administrator's approval",
}

/** Everything whoever decides must see, whole. */
export function questionPage(question: Question): readonly string[] {
  const shown = shownOf(question)
  const isFinal = shown.reversible === false
  return [
    ...shownLines(shown.asks),
    '',
    ...(isFinal ? ['!! This can not be undone.'] : []),
    ...(SPELLED_OUT.test(question.shown) ? ['!! It holds invisible or direction-changing characters; they are spelled out as ⟨U+…⟩.'] : []),
    ...(isFinal || SPELLED_OUT.test(question.shown) ? [''] : []),
    `State:       ${safeLine(question.state)}${decisionWords(question)}`,
    `Asked by:    ${shown.actor === 'ai_agent' ? 'an AI agent, for ' : ''}${oneLine(shown.asked_by)}`,
    ...(shown.edited_by === undefined ? [] : [`Changed by:  ${oneLine(shown.edited_by)}`]),
    `Tool:        ${oneLine(shown.title)} (${oneLine(shown.tool)}, version ${oneLine(shown.version)})`,
    `Effect:      ${oneLine(shown.effect)}, ${isFinal ? 'can not be undone' : 'can be undone'}`,
    `It needs:    ${KINDS[question.kind] ?? safeLine(question.kind)}`,
    `Asked at:    ${safeLine(question.created_at)}`,
    `Open until:  ${safeLine(question.expires_at)}`,
    `Call:        ${safeLine(question.call_id)}`,
    ...(question.url === undefined ? [] : [`In a browser: ${safeLine(question.url)}`]),
    '',
    'With this input, whole:',
    ...valueLines(shown.input).map((line) => `  ${line}`),
    '',
    `Digest of what is shown: ${safeLine(question.digest)}`,
  ]
}

type Shown = Readonly<Record<string, unknown>>

function shownOf({ shown }: Question): Shown {
  const value: unknown = JSON.parse(shown)
  return typeof value === 'object' && value !== null ? (value as Shown) : {}
}

function decisionWords({ decision }: Question): string {
  if (decision === undefined) return ''
  const reason = typeof decision.reason === 'string' && decision.reason !== '' ? `: ${safeLine(decision.reason)}` : ''
  return ` (${safeLine(decision.verdict)} by ${safeLine(decision.by)} at ${safeLine(decision.at)}${reason})`
}

/** What core made visible is shown as it is; a server's own word is still looked at, since a terminal obeys escapes. */
function shownLines(value: unknown): readonly string[] {
  return String(value ?? '')
    .split(/(⟨U\+[0-9A-F]{4,6}⟩)/)
    .map((part, index) => (index % 2 === 1 ? part : safeText(part)))
    .join('')
    .split('\n')
}

function oneLine(value: unknown): string {
  return shownLines(value).join('⏎').replaceAll('\t', ' ')
}

function valueLines(value: unknown): readonly string[] {
  if (typeof value === 'string') return textLines(value)
  if (Array.isArray(value))
    return value.length === 0 ? ['(an empty list)'] : value.flatMap((item, index) => memberLines(`${index + 1}.`, item))
  if (typeof value !== 'object' || value === null) return [String(value)]
  const members = Object.entries(value)
  return members.length === 0 ? ['(nothing)'] : members.flatMap(([name, member]) => memberLines(`${oneLine(name)}:`, member))
}

function memberLines(name: string, member: unknown): readonly string[] {
  const inner = valueLines(member)
  const isPlain = typeof member !== 'object' || member === null || Object.keys(member).length === 0
  return isPlain && inner.length === 1 ? [`${name} ${inner[0]}`] : [name, ...inner.map((line) => `  ${line}`)]
}

function textLines(text: string): readonly string[] {
  if (text === '') return ['(an empty text)']
  if (text.length <= LONG) return shownLines(text)
  const note = `!! A long text of ${text.length} characters. All of it is here: read it to its end before you decide.`
  return [note, ...shownLines(text), '!! End of the long text.']
}
