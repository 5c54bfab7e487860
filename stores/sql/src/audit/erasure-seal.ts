import { Buffer } from 'node:buffer'
import { sign, verify } from 'node:crypto'
import { canonicalJson } from '@surehand/core/worker-entry'
import type { AuditKey, PublicAuditKey } from './audit-key.ts'

/** What an erasure is signed for. `outcome` counts and hashes the places it emptied. */
export type SealedErasure = {
  readonly tenant: string
  readonly id: string
  readonly at: number
  readonly outcome: string
}

/** Key id and signature. Whoever can write the database has no key: without a seal they could write a tombstone and empty what they like. */
export function sealErasure(erasure: SealedErasure, key: AuditKey): string {
  return `${key.id}:${sign(null, sealedBytes(erasure, key.id), key.privateKey).toString('base64url')}`
}

/** Whether one of these keys sealed it. */
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

// of another form than a head's: the one must never pass for the other
function sealedBytes({ tenant, id, at, outcome }: SealedErasure, keyId: string): Buffer {
  return Buffer.from(canonicalJson({ erasure: { tenant, id, at, outcome }, key_id: keyId }))
}
