import { type Html, html } from './html.ts'

const LONG = 2_000
// core spells out every ⟨ of a text too, so these are its own and no text's
const SPELLED_OUT = /(⟨U\+[0-9A-F]{4,6}⟩)/

/** Does anything in it stand for a character nobody could have seen? */
export function hasSpelledOut(shown: unknown): boolean {
  return SPELLED_OUT.test(JSON.stringify(shown))
}

/** A text as it is, each invisible character marked where it stands. */
export function shownText(text: string): Html {
  const parts = text
    .split(SPELLED_OUT)
    .map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))
  return html`<bdi>${parts}</bdi>`
}

/** A value as a readable list, whole: whoever decides reads all of it, however long it is. */
export function shownValue(value: unknown): Html {
  if (typeof value === 'string') return shownString(value)
  if (Array.isArray(value))
    return value.length === 0
      ? html`<em>an empty list</em>`
      : entries(value.map((item, index) => [`${index + 1}.`, item]))
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
    return members.length === 0 ? html`<em>nothing</em>` : entries(members)
  }
  return html`<code>${String(value)}</code>`
}

function shownString(text: string): Html {
  if (text === '') return html`<em>an empty text</em>`
  if (text.length <= LONG) return shownText(text)
  const note = html`<p class="danger">A long text of ${text.length} characters. All of it is here: read it to its end before you decide.</p>`
  return html`${note}${shownText(text)}<p class="small"><em>End of the long text.</em></p>`
}

function entries(members: readonly (readonly [string, unknown])[]): Html {
  return html`<dl>${members.map(([name, member]) => html`<dt>${shownText(name)}</dt><dd>${shownValue(member)}</dd>`)}</dl>`
}
