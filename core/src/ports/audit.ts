import type { Hashed } from '../call/canonical.ts'
import type { ToolErrorCode } from '../call/errors.ts'
import type { Maybe } from '../call/maybe.ts'
import type { FiguresFilter, FiguresFound } from './call-figures.ts'

/**
 * What is kept of every call. Hashes stand with the payload; the store salts them into commitments.
 */
export type AuditRecord = {
  readonly id: string
  readonly phase: 'intent' | 'outcome' | 'decision' | 'change'
  readonly call_id: string
  readonly request_id: string
  readonly tenant: string
  readonly principal: string
  readonly actor: string
  readonly surface: string
  readonly tool_name: string
  readonly tool_version: string
  readonly definition_hash: string
  readonly input_hash: string
  readonly output_hash: string
  readonly success: boolean
  readonly outcome: string
  readonly code: ToolErrorCode | ''
  readonly error: string
  readonly duration_ms: number
  readonly source: 'executed' | 'cached' | 'replayed' | 'fallback' | ''
  readonly created_at: number
}

/**
 * A record on its way: its hashes are made when the store asks for them, which for reads is when
 * their batch is written.
 */
export type AuditEntry = Omit<AuditRecord, 'input_hash' | 'output_hash'> & {
  readonly input: Hashed
  readonly output: Hashed
}

export type AuditFilter = {
  readonly tenant: string
  readonly callId?: string
  readonly toolName?: string
  readonly principal?: string
  readonly actor?: string
  readonly phase?: AuditRecord['phase']
  readonly outcome?: string
  /** Only records that were written at this time or later, by the store's clock. */
  readonly since?: number
  /** Only records that were written before this time. */
  readonly until?: number
  /** Only calls whose stored trace has this idempotency key. */
  readonly key?: string
  /** Only calls whose redacted input contains this text, as far as traces are stored. */
  readonly text?: string
  /** Any of these. */
  readonly requestIds?: readonly string[]
  readonly limit?: number
  /** Only records that were written before this one. */
  readonly before?: Pick<AuditRecord, 'call_id' | 'id'>
}

export type AuditStore = {
  /** `batched`: within 100 ms. `before-answer`: durable when this returns. */
  readonly append: (entry: AuditEntry, durability: 'batched' | 'before-answer') => Maybe<void>
  /** The newest matching records, at most `limit` (default 1,000); the oldest of these first. */
  readonly list: (filter: AuditFilter) => Maybe<readonly AuditRecord[]>
  /** How many outcomes there were since a time, without reading their records. */
  readonly figures: (filter: FiguresFilter) => Maybe<FiguresFound>
}
