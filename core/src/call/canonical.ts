import { isPlainObject } from './plain-object.ts'
import { ToolError } from './tool-error.ts'

export const MAX_DEPTH = 64

/** Canonical JSON (RFC 8785) of any plain JSON value. */
export function canonicalJson(value: unknown): string {
  return write(value, 0)
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value)
    case 'number':
      return canonicalNumber(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      if (depth >= MAX_DEPTH) throw notJson(`nested deeper than ${MAX_DEPTH}`)
      if (Array.isArray(value)) return writeArray(value, depth)
      if (!isPlainObject(value)) throw notJson(`of class ${value.constructor?.name ?? 'unknown'}`)
      return writeObject(value as Record<string, unknown>, depth)
    default:
      throw notJson(`of type ${typeof value}`)
  }
}

function writeArray(items: readonly unknown[], depth: number): string {
  let text = '['
  for (let index = 0; index < items.length; index++)
    text += (index === 0 ? '' : ',') + write(items[index], depth + 1)
  return `${text}]`
}

function writeObject(value: Record<string, unknown>, depth: number): string {
  // the default sort compares UTF-16 code units, as RFC 8785 §3.2.3 asks
  const keys = Object.keys(value).sort()
  let text = '{'
  for (const key of keys) {
    const member = value[key]
    if (member === undefined) continue
    text += `${(text.length > 1 ? ',' : '') + canonicalString(key)}:${write(member, depth + 1)}`
  }
  return `${text}}`
}

// what JSON.stringify would escape, and the surrogates that may stand alone
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const needsCare = /["\\\u0000-\u001f\ud800-\udfff]/

/**
 * A JSON string, refusing lone surrogates: they have no UTF-8 form, so two of them would hash
 * alike.
 */
export function canonicalString(text: string): string {
  if (!needsCare.test(text)) return `"${text}"`
  if (!text.isWellFormed()) throw notJson('with a lone surrogate')
  return JSON.stringify(text)
}

export function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw notJson(String(value))
  return value === 0 ? '0' : `${value}`
}

function notJson(what: string): ToolError {
  return new ToolError('TOOL_INVALID_INPUT', `A value ${what} is not JSON.`)
}
