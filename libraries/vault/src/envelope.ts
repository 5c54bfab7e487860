import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { ToolError } from '@surehand/core'
import { derivedKey } from './derived-key.ts'

/** AES-256-GCM under the first key, opened with whichever sealed it, and bound to what it belongs to: moved elsewhere it does not open. */
export type Envelopes = {
  readonly seal: (text: string, bound: string) => string
  readonly open: (sealed: string, bound: string) => string
  /** Was it sealed with the key that seals today? */
  readonly isCurrent: (sealed: string) => boolean
}

const FORMAT = 'v1'
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function envelopes(keys: readonly Uint8Array[]): Envelopes {
  const sealing = keys.map((key) => derivedKey(key, 'sealing'))
  const byName = new Map(sealing.map((key) => [nameOf(key), key]))
  const [first] = sealing
  if (first === undefined)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'The vault has no key to keep credentials with.',
    )
  const current = nameOf(first)

  return {
    isCurrent: (sealed) => sealed.startsWith(`${FORMAT}.${current}.`),
    seal(text, bound) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, first, nonce, { authTagLength: TAG_BYTES }).setAAD(
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
      // of two spellings of the same bytes one was not written by us
      if (
        format !== FORMAT ||
        rest.length > 0 ||
        bytes.toString('base64url') !== data ||
        bytes.length < NONCE_BYTES + TAG_BYTES
      )
        throw tampered()
      const key = byName.get(name)
      if (key === undefined) throw lostKey(name)
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
        throw tampered()
      }
    },
  }
}

function nameOf(key: Uint8Array): string {
  return createHash('sha256').update('surehand vault key').update(key).digest('hex').slice(0, 16)
}

/** What is stored is not what was sealed here, for this place. */
export function tampered(): ToolError {
  return new ToolError(
    'TOOL_DATA_CORRUPTION',
    'What is stored is not what was sealed for this place: it was changed or moved.',
    {
      details: { source_code: 'credential_tampered' },
      suggestions: ['Set the credential again, and find out who else writes to the database.'],
      effect: 'none',
    },
  )
}

function lostKey(name: string): ToolError {
  // a name of ours says which key to look for; anything else was not written by us, and is not repeated
  const shown = /^[0-9a-f]{16}$/.test(name) ? ` "${name}"` : ''
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `What is stored was sealed with the key${shown}, which this house does not have.`,
    {
      details: { source_code: 'credential_key_lost' },
      suggestions: [
        'Put the old key back behind the newest in the file of keys, or set the credential again.',
      ],
      effect: 'none',
    },
  )
}
