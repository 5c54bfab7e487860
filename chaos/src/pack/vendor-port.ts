import { definePort, lookUp, type Port, sameKey, unrecoverable } from '@surehand/core'
import type { RecoveryKind } from './recovery-kind.ts'

export type Receipt = { readonly receipt: string; readonly item: string }
export type Making = { readonly key: string; readonly item: string }
export type Ticket = { readonly number: number }
export type Vendor = {
  readonly make: (args: Making, signal: AbortSignal) => Promise<Receipt>
  readonly find: (
    args: { readonly idempotencyKey: string; readonly args: unknown },
    signal: AbortSignal,
  ) => Promise<Receipt | null>
  /** Another number every time. */
  readonly ticket: (args: { readonly item: string }, signal: AbortSignal) => Promise<Ticket>
}
export type OutsideKind = Exclude<RecoveryKind, 'transaction'>

// longer than any process is made to stand still: what a stopped node still sends comes within it, which is what settling promises
export const SETTLE_MS = 6_000

/** One vendor by three ports: each believes something else about what the vendor can tell afterwards. */
export const VENDOR_PORTS: Readonly<Record<OutsideKind, Port<Vendor>>> = {
  sameKey: definePort<Vendor>('sameKey', {
    make: sameKey({ validFor: '1d' }),
    find: 'read',
    ticket: 'read',
  }),
  lookUp: definePort<Vendor>('lookUp', {
    make: lookUp({ method: 'find', settle: `${SETTLE_MS}ms` }),
    find: 'read',
    ticket: 'read',
  }),
  none: definePort<Vendor>('none', { make: unrecoverable, find: 'read', ticket: 'read' }),
}
