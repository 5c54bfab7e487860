/** Markup that was made by `html`: values in it are escaped. */
export type Html = { readonly markup: string }

export type HtmlValue = Html | string | number | undefined | false | null | readonly HtmlValue[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

/**
 * A template whose values are escaped, in text and in quoted attributes. Lists are joined; false,
 * null and undefined are nothing.
 *
 * @example
 * html`<a href="${url}">${title}</a>`
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const written = values.map(writeValue)
  return { markup: parts.map((part, index) => part + (written[index] ?? '')).join('') }
}

function writeValue(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if ('markup' in value) return value.markup
  return value.map(writeValue).join('')
}

/** JSON for a script element: no text in it can end the element. */
export function scriptJson(value: unknown): Html {
  return { markup: JSON.stringify(value).replaceAll('<', '\\u003c') }
}
