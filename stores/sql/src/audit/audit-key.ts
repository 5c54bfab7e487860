import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
} from 'node:crypto'
import { ToolError } from '@surehand/core'

/** What heads are signed with. It is handed in and never stands in the database: whoever can write there must not be able to sign. */
export type AuditKey = { readonly id: string; readonly privateKey: KeyObject }

/** What heads are verified with. */
export type PublicAuditKey = { readonly id: string; readonly publicKey: KeyObject }

export function createAuditKey(): AuditKey {
  return auditKey(generateKeyPairSync('ed25519').privateKey)
}

/** Reads a private key (PKCS #8, PEM), as `writeAuditKey` wrote it. */
export function readAuditKey(pem: string): AuditKey {
  return auditKey(parsed(pem, createPrivateKey))
}

/** Reads a public key (SPKI, PEM), or takes it out of a private one. */
export function readPublicAuditKey(pem: string): PublicAuditKey {
  return publicAuditKey(parsed(pem, createPublicKey))
}

export function publicKeyOf({ privateKey }: AuditKey): PublicAuditKey {
  return publicAuditKey(createPublicKey(privateKey))
}

/** For a file that only its owner may read. */
export function writeAuditKey({ privateKey }: AuditKey): string {
  return String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

/** For everybody. */
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

function parsed(pem: string, create: (pem: string) => KeyObject): KeyObject {
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
