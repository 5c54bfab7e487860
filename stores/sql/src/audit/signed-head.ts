import { Buffer } from 'node:buffer'
import { sign, verify } from 'node:crypto'
import type { Row } from '@surehand/core/internal'
import { canonicalJson } from '@surehand/core/worker-entry'
import type { AuditKey, PublicAuditKey } from './audit-key.ts'

export type Head = {
  readonly tenant: string
  readonly size: number
  readonly root: string
  readonly signed_at: number
}

/**
 * A signed head allows its holder to verify that the tenant's first `size` records are unchanged.
 */
export type SignedHead = Head & { readonly key_id: string; readonly signature: string }

export function signHead(head: Head, key: AuditKey): SignedHead {
  const { tenant, size, root, signed_at } = head
  const signed = { tenant, size, root, signed_at, key_id: key.id }
  return {
    ...signed,
    signature: sign(null, signedBytes(signed), key.privateKey).toString('base64url'),
  }
}

/** Whether one of these keys signed it. */
export function isSigned(head: SignedHead, keys: ReadonlyMap<string, PublicAuditKey>): boolean {
  const key = keys.get(head.key_id)
  return (
    key !== undefined &&
    verify(null, signedBytes(head), key.publicKey, Buffer.from(head.signature, 'base64url'))
  )
}

function signedBytes({
  tenant,
  size,
  root,
  signed_at,
  key_id,
}: Omit<SignedHead, 'signature'>): Buffer {
  return Buffer.from(canonicalJson({ tenant, size, root, signed_at, key_id }))
}

/** Reads a head from a parsed line; undefined when it is not one. */
export function headOf(value: unknown): SignedHead | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { tenant, size, root, signed_at, key_id, signature } = value as Record<string, unknown>
  if (
    typeof tenant !== 'string' ||
    typeof size !== 'number' ||
    typeof root !== 'string' ||
    typeof signed_at !== 'number'
  )
    return undefined
  if (typeof key_id !== 'string' || typeof signature !== 'string') return undefined
  return { tenant, size, root, signed_at, key_id, signature }
}

export const HEAD_COLUMNS = 'tenant, size, root, signed_at, key_id, signature'

export function headOfRow(row: Row): SignedHead {
  return {
    tenant: String(row.tenant),
    size: Number(row.size),
    root: String(row.root),
    signed_at: Number(row.signed_at),
    key_id: String(row.key_id),
    signature: String(row.signature),
  }
}
