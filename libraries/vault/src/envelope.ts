import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
} from 'node:crypto'
import { ToolError } from '@surehand/core'
import { deriveKey } from './derive-key.ts'

/**
 * Encrypts with AES-256-GCM under the first key and decrypts with any. The text is bound to its
 * place: moved elsewhere, it cannot be decrypted.
 */
export type Envelopes = {
  readonly seal: (text: string, bound: string) => string
  readonly open: (sealed: string, bound: string) => string
  /** Whether it was sealed with the first key. */
  readonly isCurrent: (sealed: string) => boolean
}

const FORMAT = 'v1'
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createEnvelopes(keys: readonly Uint8Array[]): Envelopes {
  const sealing = keys.map((key) => deriveKey(key, 'sealing'))
  // Key objects, because Node makes one of raw bytes each time, which takes 30 µs.
  const byName = new Map(sealing.map((key) => [keyNameOf(key), createSecretKey(key)]))
  const [first] = byName
  if (first === undefined)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'The vault has no key to encrypt credentials with. Configure at least one.',
    )
  const [current, currentKey] = first

  return {
    isCurrent: (sealed) => sealed.startsWith(`${FORMAT}.${current}.`),
    seal(text, bound) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, currentKey, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(bound),
      )
      const bytes = Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return `${FORMAT}.${current}.${bytes.toString('base64url')}`
    },
    open(sealed, bound) {
      const [format, name = '', data = '', ...rest] = sealed.split('.')
      const bytes = Buffer.from(data, 'base64url')
      // Only the canonical base64url spelling is accepted: another one was not written here.
      if (
        format !== FORMAT ||
        rest.length > 0 ||
        bytes.toString('base64url') !== data ||
        bytes.length < NONCE_BYTES + TAG_BYTES
      )
        throw tamperedError()
      const key = byName.get(name)
      if (key === undefined) throw keyLostError(name)
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([
          decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
          decipher.final(),
        ]).toString('utf8')
      } catch {
        throw tamperedError()
      }
    },
  }
}

function keyNameOf(key: Uint8Array): string {
  return createHash('sha256').update('surehand vault key').update(key).digest('hex').slice(0, 16)
}

/** The stored value was changed, or moved from another place. */
export function tamperedError(): ToolError {
  return new ToolError(
    'TOOL_DATA_CORRUPTION',
    'The stored value was changed, or moved here from another place.',
    {
      details: { source_code: 'credential_tampered' },
      suggestions: ['Set the credential again, and find out what else writes to the database.'],
      effect: 'none',
    },
  )
}

function keyLostError(name: string): ToolError {
  // A well-formed name says which key to look for. Anything else was not written here and is not
  // repeated.
  const shown = /^[0-9a-f]{16}$/.test(name) ? ` "${name}"` : ''
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The stored value was encrypted with the key${shown}, which is not in the key file.`,
    {
      details: { source_code: 'credential_key_lost' },
      suggestions: [
        'Add the old key after the newest in the key file, or set the credential again.',
      ],
      effect: 'none',
    },
  )
}
