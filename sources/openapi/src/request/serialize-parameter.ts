import { isRecord } from '@surehand/core/internal'
import type { ParameterForm, ParameterPlan, ParameterStyle } from '../operation/operation.ts'
import { invalidArgument } from './invalid-argument.ts'
import { percent, percentReserved } from './percent.ts'

export type Pair = readonly [name: string, value: string]
type Encode = (text: string) => string
type Entry = readonly [string, string]
type Values =
  | { readonly kind: 'one'; readonly text: string }
  | { readonly kind: 'many'; readonly texts: readonly string[] }
  | { readonly kind: 'fields'; readonly entries: readonly Entry[] }

/**
 * A value as text. Nested values are written as JSON where the style does not support nesting, and
 * a text of a JSON `content` parameter is sent without quotes, as other clients do.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
}

function valuesOf(value: unknown): Values {
  if (Array.isArray(value))
    return { kind: 'many', texts: value.filter((one) => one !== null).map(textOf) }
  if (!isRecord(value)) return { kind: 'one', text: textOf(value) }
  const entries = Object.entries(value).filter(
    ([, member]) => member !== null && member !== undefined,
  )
  return { kind: 'fields', entries: entries.map(([name, member]) => [name, textOf(member)]) }
}

/** The text that replaces `{name}` in a path. */
export function pathValue({ name, argument, form }: ParameterPlan, value: unknown): string {
  if (form.kind === 'content') return percent(textOf(value))
  const values = valuesOf(value)
  switch (form.style) {
    case 'label':
      if (form.explode) refuseDots(argument, values)
      return `.${joinValues(values, { separator: form.explode ? '.' : ',', assign: form.explode ? '=' : ',', encode: percent })}`
    case 'matrix':
      return matrixText(name, values, form.explode)
    default:
      if (values.kind === 'one') return percent(values.text)
      return requireNonEmpty(
        argument,
        joinValues(values, { separator: ',', assign: form.explode ? '=' : ',', encode: percent }),
      )
  }
}

// A dot is never encoded, so an item with a dot would be read as two items.
function refuseDots(argument: string, values: Values): void {
  const texts =
    values.kind === 'many' ? values.texts : values.kind === 'fields' ? values.entries.flat() : []
  if (texts.some((text) => text.includes('.')))
    throw invalidArgument(argument, 'has an item with "." in it, which would be read as two')
}

function requireNonEmpty(argument: string, text: string): string {
  if (text === '') throw invalidArgument(argument, 'is empty, which a path cannot express')
  return text
}

function matrixText(name: string, values: Values, explode: boolean): string {
  const label = `;${percent(name)}`
  if (values.kind === 'one') return `${label}=${percent(values.text)}`
  if (!explode)
    return `${label}=${joinValues(values, { separator: ',', assign: ',', encode: percent })}`
  if (values.kind === 'many')
    return values.texts.map((text) => `${label}=${percent(text)}`).join('')
  return values.entries.map(([key, text]) => `;${percent(key)}=${percent(text)}`).join('')
}

type Joining = { readonly separator: string; readonly assign: string; readonly encode: Encode }

function joinValues(values: Values, { separator, assign, encode }: Joining): string {
  if (values.kind === 'one') return encode(values.text)
  const parts =
    values.kind === 'many'
      ? values.texts.map(encode)
      : values.entries.map(([key, text]) => `${encode(key)}${assign}${encode(text)}`)
  return parts.join(separator)
}

/**
 * A header's value. Headers are not percent-encoded, so characters that they cannot carry are
 * refused.
 */
export function headerValue({ argument, form }: ParameterPlan, value: unknown): string {
  const text =
    form.kind === 'content' ? textOf(value) : headerText(argument, valuesOf(value), form.explode)
  if (!/^[\x20-\x7e]*$/.test(text) || text !== text.trim())
    throw invalidArgument(argument, 'contains characters that a header cannot carry')
  return text
}

function headerText(argument: string, values: Values, explode: boolean): string {
  const texts =
    values.kind === 'many' ? values.texts : values.kind === 'fields' ? values.entries.flat() : []
  if (texts.some((text) => text.includes(',') || text !== text.trim()))
    throw invalidArgument(
      argument,
      'has an item with a separator in it, which a header cannot express',
    )
  return joinValues(values, { separator: ',', assign: explode ? '=' : ',', encode: (part) => part })
}

/** The text of a cookie. */
export function cookieText({ name, form }: ParameterPlan, value: unknown): string {
  const pairs =
    form.kind === 'content'
      ? [[percent(name), percent(textOf(value))] as const]
      : stylePairs({ name, ...form }, value)
  return pairs.map(([key, text]) => `${key}=${text}`).join('; ')
}

/** The encoded pairs of a query. */
export function queryPairs(
  { name, argument, form }: ParameterPlan,
  value: unknown,
): readonly Pair[] {
  if (form.kind === 'content') return [[percent(name), percent(textOf(value))]]
  refuseDelimiters(argument, form.style, value)
  return stylePairs({ name, ...form }, value)
}

const DELIMITERS: Readonly<Partial<Record<ParameterStyle, string>>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
}

// Encoded or not, servers would read such an item as two.
function refuseDelimiters(argument: string, style: ParameterStyle, value: unknown): void {
  const delimiter = DELIMITERS[style]
  if (delimiter === undefined || typeof value !== 'object') return
  const values = valuesOf(value)
  const texts =
    values.kind === 'many' ? values.texts : values.kind === 'fields' ? values.entries.flat() : []
  if (texts.some((text) => text.includes(delimiter)))
    throw invalidArgument(
      argument,
      `has an item with "${delimiter}" in it, which would be read as two`,
    )
}

export type StyledField = { readonly name: string } & Omit<
  Extract<ParameterForm, { kind: 'style' }>,
  'kind'
>

/** The pairs of a query, a cookie or a form, in one of OpenAPI's styles. */
export function stylePairs(
  { name, style, explode, allowReserved }: StyledField,
  value: unknown,
): readonly Pair[] {
  const encode = allowReserved ? percentReserved : percent
  if (style === 'deepObject') return deepPairs(percent(name), value, encode)
  const values = valuesOf(value)
  const key = percent(name)
  if (values.kind === 'one') return [[key, encode(values.text)]]
  if (explode && style === 'form')
    return values.kind === 'many'
      ? values.texts.map((text) => [key, encode(text)])
      : values.entries.map(([field, text]) => [percent(field), encode(text)])
  if (explode && values.kind === 'many') return values.texts.map((text) => [key, encode(text)])
  const separator = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ','
  const text = joinValues(values, {
    separator,
    assign: separator,
    encode: separator === ',' ? percent : encode,
  })
  return text === '' ? [] : [[key, text]]
}

const DEEPEST = 32

// Arrays by index, `items[0][price]`, as servers that accept nested objects expect.
function deepPairs(key: string, value: unknown, encode: Encode, depth = 0): readonly Pair[] {
  if (value === null || value === undefined || depth > DEEPEST) return []
  if (typeof value !== 'object') return [[key, encode(textOf(value))]]
  return Object.entries(value).flatMap(([name, member]) =>
    deepPairs(`${key}[${percent(name)}]`, member, encode, depth + 1),
  )
}
