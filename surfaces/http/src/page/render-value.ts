import { findTraps } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { type Html, html } from './html.ts'

const LONG = 2_000
// Core also spells out every ⟨ of a text, so this pattern matches only what core has inserted.
const SPELLED_OUT = /(⟨U\+[0-9A-F]{4,6}⟩)/

/** Whether anything in it stands for an invisible character. */
export function hasInvisibleCharacters(shown: unknown): boolean {
  return SPELLED_OUT.test(JSON.stringify(shown))
}

/** A text with each invisible character marked in place. */
export function renderText(text: string): Html {
  const parts = text
    .split(SPELLED_OUT)
    .map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))
  return html`<bdi>${parts}</bdi>`
}

/** Why what is shown deserves a close look, above everything else. */
export function renderTraps(shown: string): Html | undefined {
  const traps = findTraps(shown)
  if (traps.length === 0) return undefined
  return html`<div class="danger"><strong>Look closely</strong><ul>${traps.map(
    ({ sentence, quotes }) =>
      html`<li>${sentence}${quotes.map((quote) => html`<br>${renderText(quote)}`)}</li>`,
  )}</ul></div>`
}

/**
 * A value as a readable list. Nothing is shortened: the person who decides must be able to see all
 * of it.
 */
export function renderValue(value: unknown): Html {
  if (typeof value === 'string') return renderString(value)
  if (Array.isArray(value))
    return value.length === 0
      ? html`<em>an empty list</em>`
      : renderEntries(value.map((item, index) => [`${index + 1}.`, item]))
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
    return members.length === 0 ? html`<em>nothing</em>` : renderEntries(members)
  }
  return html`<code>${String(value)}</code>`
}

/** A value as above, with lists of lines (the positions of an order) as tables. */
export function renderFacts(value: unknown): Html {
  if (Array.isArray(value) && value.length > 0 && value.every(isLine)) return renderLines(value)
  if (!isRecord(value) || Object.keys(value).length === 0) return renderValue(value)
  return html`<dl>${Object.entries(value).map(([name, member]) => html`<dt>${renderText(name)}</dt><dd>${renderFacts(member)}</dd>`)}</dl>`
}

// Wider lines would not fit on a phone.
const MOST_COLUMNS = 6

function isLine(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false
  const members = Object.values(value)
  const isFlat = members.every((member) => typeof member !== 'object' || member === null)
  return isFlat && members.length > 0 && members.length <= MOST_COLUMNS
}

function renderLines(lines: readonly Readonly<Record<string, unknown>>[]): Html {
  const names = [...new Set(lines.flatMap((line) => Object.keys(line)))]
  const cell = (line: Readonly<Record<string, unknown>>, name: string): Html =>
    html`<td>${Object.hasOwn(line, name) ? renderValue(line[name]) : undefined}</td>`
  return html`<table><thead><tr>${names.map((name) => html`<th scope="col">${renderText(name)}</th>`)}</tr></thead>
<tbody>${lines.map((line) => html`<tr>${names.map((name) => cell(line, name))}</tr>`)}</tbody></table>`
}

function renderString(text: string): Html {
  if (text === '') return html`<em>an empty text</em>`
  if (text.length <= LONG) return renderText(text)
  const note = html`<p class="danger">A long text of ${text.length} characters. Nothing is left out: read it to the end before you decide.</p>`
  return html`${note}${renderText(text)}<p class="small"><em>End of the long text.</em></p>`
}

function renderEntries(members: readonly (readonly [string, unknown])[]): Html {
  return html`<dl>${members.map(([name, member]) => html`<dt>${renderText(name)}</dt><dd>${renderValue(member)}</dd>`)}</dl>`
}
