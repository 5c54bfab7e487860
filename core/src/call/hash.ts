import type { hash as Hash } from 'node:crypto'
import { canonicalJson } from './canonical.ts'

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
