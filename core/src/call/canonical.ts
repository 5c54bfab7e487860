import { Buffer } from 'node:buffer'
import type { hash as Hash } from 'node:crypto'
import { ToolError } from './tool-error.ts'

/**
 * An object as JSON makes it. A Date, a Map or an instance of a class keeps its data elsewhere, and
 * would be written as {}. Objects of another realm are plain too: their prototype's prototype is
 * null.
 */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    prototype === null ||
    prototype === Object.prototype ||
    Object.getPrototypeOf(prototype) === null
  )
}

/** An object that is neither null nor an array; instances of classes are records too. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const MAX_DEPTH = 64

/** Canonical JSON (RFC 8785) of any plain JSON value. */
export function canonicalJson(value: unknown): string {
  return write(value, 0)
}

/** The same for a value within others, which is nested so deep. */
export function canonicalMember(value: unknown, depth: number): string {
  return write(value, depth)
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
  if (!text.isWellFormed()) throw loneSurrogate()
  return JSON.stringify(text)
}

export function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw notJson(String(value))
  return value === 0 ? '0' : `${value}`
}

export function loneSurrogate(): ToolError {
  return notJson('with a lone surrogate')
}

function notJson(what: string): ToolError {
  return new ToolError('TOOL_INVALID_INPUT', `A value ${what} is not JSON.`)
}

// loading it takes 9 ms: a process that lists tools and hashes nothing should not pay for it
let loaded: typeof Hash | undefined

function hash(algorithm: string, text: string, encoding: 'hex'): string {
  loaded ??= process.getBuiltinModule('node:crypto').hash
  return loaded(algorithm, text, encoding)
}

/** SHA-256 in 64 hex digits. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

/** HMAC-SHA-256 in 64 hex digits. */
export function hmacSha256(key: string, text: string): string {
  return process
    .getBuiltinModule('node:crypto')
    .createHmac('sha256', key)
    .update(text)
    .digest('hex')
}

/** SHA-256 over the canonical JSON of a value. */
export function hashJson(value: unknown): string {
  return sha256(canonicalJson(value))
}

// a namespace of our own whose sixteen bytes are ASCII, so that bytes and text hash alike; changing
// it would change every derived key
const NAMESPACE = 'surehand-keys-v1'

/**
 * The UUIDv5 (RFC 9562) of a text, for inputs that demand a UUID where the caller's key is none.
 */
export function uuidOf(text: string): string {
  const digest = hash('sha1', NAMESPACE + text, 'hex')
  const variant = ((Number.parseInt(digest.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(18, 20)}-${digest.slice(20, 32)}`
}

/** A text that is hashed on demand. */
export type Hashed = { readonly hash: string; readonly bytes: number }

// What one UTF-16 unit takes at most in UTF-8.
const UNIT_BYTES = 3

/**
 * A canonical text, written and hashed once and only if that is needed: a plain read's is wanted by
 * its audit record alone.
 */
export class CanonicalText implements Hashed {
  private written: string | undefined
  private known: string | undefined
  private copy: unknown
  private most: number

  /** `hash`: of this text, where it is known already. */
  constructor(text: string, hash?: string) {
    this.written = text
    this.known = hash
    this.copy = undefined
    this.most = text.length * UNIT_BYTES
  }

  /**
   * The text of a value that nobody else has, that is plain JSON, and whose keys are in order.
   * `mostBytes`: the text is not longer than this.
   */
  static ofCopy(copy: unknown, mostBytes: number): CanonicalText {
    const canonical = new CanonicalText('')
    canonical.written = undefined
    canonical.copy = copy
    canonical.most = mostBytes
    return canonical
  }

  get text(): string {
    if (this.written === undefined) {
      this.written = JSON.stringify(this.copy)
      this.copy = undefined
    }
    return this.written
  }

  /** Whether it has more bytes than this. A short text need not be written to know it. */
  isLongerThan(bytes: number): boolean {
    return this.most > bytes && this.bytes > bytes
  }

  get bytes(): number {
    return Buffer.byteLength(this.text)
  }

  get hash(): string {
    this.known ??= sha256(this.text)
    return this.known
  }
}

export const NOTHING_HASHED: Hashed = { hash: '', bytes: 0 }
