import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
} from 'node:crypto'
import { ToolError } from '@surehand/core'

/**
 * The key that signs heads. It is passed in and never stored in the database: write access to the
 * database must not allow signing.
 */
export type AuditKey = { readonly id: string; readonly privateKey: KeyObject }

/** The key that verifies heads. */
export type PublicAuditKey = { readonly id: string; readonly publicKey: KeyObject }

export function createAuditKey(): AuditKey {
  return auditKey(generateKeyPairSync('ed25519').privateKey)
}

/** Reads a private key (PKCS #8, PEM), as written by `writeAuditKey`. */
export function readAuditKey(pem: string): AuditKey {
  return auditKey(parseKey(pem, createPrivateKey))
}

/** Reads a public key (SPKI, PEM), or derives it from a private one. */
export function readPublicAuditKey(pem: string): PublicAuditKey {
  return publicAuditKey(parseKey(pem, createPublicKey))
}

export function publicKeyOf({ privateKey }: AuditKey): PublicAuditKey {
  return publicAuditKey(createPublicKey(privateKey))
}

/** The private key in PEM, for a file that only its owner can read. */
export function writeAuditKey({ privateKey }: AuditKey): string {
  return String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

/** The public key in PEM, which may be published. */
export function writePublicAuditKey({ publicKey }: PublicAuditKey): string {
  return String(publicKey.export({ type: 'spki', format: 'pem' }))
}

function auditKey(privateKey: KeyObject): AuditKey {
  return { id: publicAuditKey(createPublicKey(privateKey)).id, privateKey }
}

function publicAuditKey(publicKey: KeyObject): PublicAuditKey {
  if (publicKey.asymmetricKeyType !== 'ed25519') throw notAKey()
  return {
    id: hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'hex').slice(0, 16),
    publicKey,
  }
}

function parseKey(pem: string, create: (pem: string) => KeyObject): KeyObject {
  try {
    return create(pem)
  } catch (cause) {
    throw notAKey(cause)
  }
}

function notAKey(cause?: unknown): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    'The audit is signed with an Ed25519 key in PEM; this is none.',
    { cause },
  )
}
