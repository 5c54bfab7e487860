import { createHash, type Hash } from 'node:crypto'
import type { AuditRecord } from '@surehand/core/ports'

export const ERASE_TOOL = 'audit.erase'

/** The places that an erasure emptied, counted and hashed in their order. The tombstone tells both, so no record can be emptied behind its back. */
export type ErasedPlaces = {
  readonly add: (position: number) => void
  readonly outcome: () => string
}

export function erasedPlaces(): ErasedPlaces {
  const digest: Hash = createHash('sha256')
  let count = 0
  return {
    add(position) {
      count++
      digest.update(`${position}\n`)
    },
    outcome: () => `erased ${count} records: ${digest.copy().digest('hex')}`,
  }
}

export type Tombstone = {
  readonly id: string
  readonly tenant: string
  /** Who erased. */
  readonly by: string
  readonly actor: string
  readonly at: number
  readonly outcome: string
  /** Made with the audit key; see erasure-seal.ts. */
  readonly seal: string
}

/** "Erased by … at …": who and when, and which places; not whom. What asked for it is its seal, and that is in the leaf. */
export function tombstoneRecord({
  id,
  tenant,
  by,
  actor,
  at,
  outcome,
  seal,
}: Tombstone): AuditRecord {
  return {
    id,
    phase: 'change',
    call_id: id,
    request_id: seal,
    tenant,
    principal: by,
    actor,
    surface: 'audit',
    tool_name: ERASE_TOOL,
    tool_version: '',
    definition_hash: '',
    input_hash: '',
    output_hash: '',
    success: true,
    outcome,
    code: '',
    error: '',
    duration_ms: 0,
    source: '',
    created_at: at,
  }
}
