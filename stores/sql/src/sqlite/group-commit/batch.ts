import type { Tool } from '@surehand/core'
import type { LocalRequest } from '../../local-effect.ts'
import type { SerializedError } from '../serialized-error.ts'
import type { CommitGate } from './commit-gate.ts'
import type { PackedBatch } from './packed-batch.ts'

/**
 * The writes that arrived while the previous batch was being committed. They share one transaction
 * and one commit.
 */
export type Batch = {
  /** `NORMAL`: a power failure may lose the whole batch. */
  readonly synchronous: 'FULL' | 'NORMAL'
  readonly writes: readonly WriteRequest[]
  /** The index of the batch's commit gate among the thread's gates. */
  readonly gate: number
}

export type WriteRequest =
  | { readonly kind: 'step'; readonly name: string; readonly args: unknown }
  | { readonly kind: 'local'; readonly request: LocalRequest }

export type WriteResult =
  | { readonly kind: 'done'; readonly value: unknown }
  /** A local effect was done; this is its stored result. */
  | { readonly kind: 'stored'; readonly fence: number; readonly json: string | undefined }
  | { readonly kind: 'error'; readonly error: SerializedError }
  | { readonly kind: 'cancelled' }

export type BatchResult =
  | {
      readonly kind: 'committed'
      readonly results: readonly WriteResult[]
      readonly hasEnqueued: boolean
    }
  /** Nothing of the batch is written, or it is not known whether the commit succeeded. */
  | { readonly kind: 'failed'; readonly error: SerializedError }

/** Everything the writer needs to start. */
export type WriterData = {
  readonly file: string
  readonly time: 'database' | 'shifted'
  /** `off`: every write is a transaction and a commit of its own. */
  readonly groupCommit: 'on' | 'off'
  /**
   * Owned by this thread alone: a terminated thread may still work on its last batch when the next
   * one starts.
   */
  readonly gates: readonly CommitGate[]
  readonly transactionModules: readonly string[]
  /**
   * Tools whose transactions need no module; functions cannot be sent to a thread, so empty there.
   */
  readonly tools: readonly Tool[]
  readonly stepModules: readonly string[]
}

/** `check-cancelled`: an entry of a batch was cancelled. */
export type ToWriter = Batch | PackedBatch | 'check-cancelled' | 'close'
export type FromWriter = BatchResult | 'ready'
