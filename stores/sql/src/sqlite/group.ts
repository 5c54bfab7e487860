import type { LocalRequest } from '../local-effect.ts'
import type { CommitGate } from './commit-gate.ts'
import type { PackedGroup } from './packed-group.ts'
import type { ToldError } from './told-error.ts'

/** What the main side asks for: everything that gathered while the last group was being committed. */
export type Group = {
  /** `NORMAL`: everything in it may be lost with the machine's power. */
  readonly synchronous: 'FULL' | 'NORMAL'
  readonly items: readonly Item[]
  /** Which of the thread's gates is its own. */
  readonly gate: number
}

export type Item =
  | { readonly kind: 'step'; readonly name: string; readonly args: unknown }
  | { readonly kind: 'local'; readonly request: LocalRequest }

export type Answer =
  | { readonly kind: 'done'; readonly value: unknown }
  /** A local effect was done; its result as it is kept. */
  | { readonly kind: 'kept'; readonly fence: number; readonly json: string | undefined }
  | { readonly kind: 'thrown'; readonly error: ToldError }
  | { readonly kind: 'given-up' }

export type GroupAnswer =
  | {
      readonly kind: 'committed'
      readonly answers: readonly Answer[]
      readonly hasEnqueued: boolean
    }
  /** Nothing of it is there, or nobody knows. */
  | { readonly kind: 'failed'; readonly error: ToldError }

/** Where the writer finds everything. */
export type WriterData = {
  readonly file: string
  readonly time: 'database' | 'shifted'
  /** Of this thread alone: one that was ended may still be at its last group when the next thread begins. */
  readonly gates: readonly CommitGate[]
  readonly transactionModules: readonly string[]
  readonly stepModules: readonly string[]
}

/** `look`: somebody gave up. */
export type ToWriter = Group | PackedGroup | 'look' | 'close'
export type FromWriter = GroupAnswer | 'ready'
