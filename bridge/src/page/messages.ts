// The messages that the page receives, checked by hand: the schemas are in the site pack, and a
// test there compares both. Anything that is not exactly one of these is dropped.

export const VERSION = 1
export const MAX_LENGTH = 65_536

export type Command =
  | { readonly do: 'goto'; readonly path: string }
  | { readonly do: 'highlight'; readonly selector: string }
  | {
      readonly do: 'scrollTo'
      readonly selector?: string
      readonly to?: 'top' | 'bottom' | 'anchor'
    }
  | { readonly do: 'open'; readonly url: string; readonly target: '_blank' | '_self' }
  | { readonly do: 'fillField'; readonly selector: string; readonly value: string }
  | { readonly do: 'submitForm'; readonly formSelector: string; readonly validate: boolean }
  | {
      readonly do: 'act'
      readonly action: string
      readonly selector?: string
      readonly params: Readonly<Record<string, string | number | boolean>>
    }
  | { readonly do: 'candidates'; readonly words: string }
  | { readonly do: 'describeForm'; readonly formSelector: string }
  | {
      readonly do: 'prefetch'
      readonly urls: readonly string[]
      readonly mode: 'prefetch' | 'prerender'
    }
  | { readonly do: 'clearHighlights' }

/** A tool that the page registered itself, for the script of WebMCP. */
export type ToolCommand = {
  readonly do: 'callTool'
  readonly origin: string
  readonly definition: string
  readonly input: Readonly<Record<string, unknown>>
}

export type Received =
  | { readonly type: 'hello'; readonly nonce: string }
  | {
      readonly type: 'execute'
      readonly nonce: string
      readonly id: string
      readonly command: Command
    }
  | { readonly type: 'status'; readonly nonce: string; readonly state: 'opened' | 'closed' }

type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, Check>>

const text =
  (max: number, pattern = /^/): Check =>
  (value) =>
    typeof value === 'string' && value.length <= max && pattern.test(value)
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  Object.prototype.toString.call(value) === '[object Object]'

/** Exactly these members: one more, such as an own `__proto__`, and the message is refused. */
const hasShape = (value: unknown, shape: Shape): boolean =>
  isObject(value) &&
  Object.keys(value).every((key) => Object.hasOwn(shape, key)) &&
  Object.keys(shape).every((key) => shape[key]?.(value[key]))

// Looser than the server's schemas where the browser checks again: a path is resolved and compared
// with the site's origin, and querySelector refuses what is no selector.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
const PATH = text(2_048, /^\/(?!\/)[^\s\\\0-\x1f\x7f-\x9f]*$/)
const SELECTOR = text(1_000, /^[^{};<]*[^\s{};<]/)
const URL_TEXT = text(2_048, /^https?:\/\/[\w.~:[\]-]+(?:[/?#][!-[\]-~]*)?$/i)
const NONCE = text(64, /^[\w-]{22,}$/)
const isBoolean: Check = (value) => typeof value === 'boolean'

const isParameter: Check = (value) =>
  text(10_000)(value) || isBoolean(value) || Number.isFinite(value)
const isParams: Check = (value) =>
  isObject(value) &&
  Object.keys(value).every(
    (key) => text(128)(key) && key !== '__proto__' && isParameter(value[key]),
  )
const isPaths: Check = (value) =>
  Array.isArray(value) && value.length > 0 && value.length <= 50 && value.every(PATH)

const COMMANDS: Readonly<Record<string, Shape>> = {
  goto: { path: PATH },
  highlight: { selector: SELECTOR },
  scrollTo: { selector: optional(SELECTOR), to: oneOf(undefined, 'top', 'bottom', 'anchor') },
  open: { url: URL_TEXT, target: oneOf('_blank', '_self') },
  fillField: { selector: SELECTOR, value: text(10_000) },
  submitForm: { formSelector: SELECTOR, validate: isBoolean },
  act: {
    action: text(128, /^[A-Za-z][\w.-]*$/),
    selector: optional(SELECTOR),
    params: isParams,
  },
  candidates: { words: text(1_000) },
  describeForm: { formSelector: SELECTOR },
  prefetch: { urls: isPaths, mode: oneOf('prefetch', 'prerender') },
  clearHighlights: {},
}

/** The shape that the member `tag` names. */
const hasTaggedShape = (
  value: unknown,
  tag: string,
  shapes: Readonly<Record<string, Shape>>,
  more: Shape,
): boolean => {
  const name = isObject(value) && value[tag]
  return (
    typeof name === 'string' &&
    Object.hasOwn(shapes, name) &&
    hasShape(value, { ...shapes[name], ...more, [tag]: oneOf(name) })
  )
}

const TYPES: Readonly<Record<string, Shape>> = {
  hello: { version: oneOf(VERSION) },
  execute: {
    id: text(128, /^[\w-]+$/),
    command: (value) => hasTaggedShape(value, 'do', COMMANDS, {}),
  },
  status: { state: oneOf('opened', 'closed') },
}

/** The message, if it is one that a widget sends; undefined for everything else. */
export function readMessage(data: unknown): Received | undefined {
  return hasTaggedShape(data, 'type', TYPES, { nonce: NONCE }) &&
    JSON.stringify(data).length <= MAX_LENGTH
    ? (data as Received)
    : undefined
}
