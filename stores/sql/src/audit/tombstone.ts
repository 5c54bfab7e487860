import { createHash, type Hash } from 'node:crypto'
import type { AuditRecord } from '@surehand/core/ports'

export const ERASE_TOOL = 'audit.erase'

/**
 * The positions that an erasure emptied, counted and hashed in order. The tombstone contains both,
 * so no further record can be emptied in its name.
 */
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
  /** The administrator who erased. */
  readonly by: string
  readonly actor: string
  readonly at: number
  readonly outcome: string
  /** Signed with the audit key; see erasure-seal.ts. */
  readonly seal: string
}

/**
 * "Erased by … at …": who and when, and which positions, but not whom. Its seal is part of the
 * leaf.
 */
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
