import { Buffer } from 'node:buffer'
import { sign, verify } from 'node:crypto'
import { canonicalJson } from '@surehand/core/worker-entry'
import type { AuditKey, PublicAuditKey } from './audit-key.ts'

/** What an erasure's signature covers. `outcome` counts and hashes the emptied positions. */
export type SealedErasure = {
  readonly tenant: string
  readonly id: string
  readonly at: number
  readonly outcome: string
}

/**
 * Key id and signature. Without a signature, anyone with write access to the database could insert
 * a tombstone and empty any record.
 */
export function sealErasure(erasure: SealedErasure, key: AuditKey): string {
  return `${key.id}:${sign(null, sealedBytes(erasure, key.id), key.privateKey).toString('base64url')}`
}

/** Whether one of these keys signed it. */
export function isSealed(
  erasure: SealedErasure,
  seal: string,
  keys: ReadonlyMap<string, PublicAuditKey>,
): boolean {
  const [keyId = '', signature = ''] = seal.split(':')
  const key = keys.get(keyId)
  return (
    key !== undefined &&
    verify(null, sealedBytes(erasure, keyId), key.publicKey, Buffer.from(signature, 'base64url'))
  )
}

// The signed text has another form than a head's, so that one cannot pass for the other.
function sealedBytes({ tenant, id, at, outcome }: SealedErasure, keyId: string): Buffer {
  return Buffer.from(canonicalJson({ erasure: { tenant, id, at, outcome }, key_id: keyId }))
}
