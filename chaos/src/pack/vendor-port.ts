import { definePort, lookUp, type Port, sameKey, unrecoverable } from '@surehand/core'
import type { RecoveryKind } from './recovery-kind.ts'

export type Receipt = { readonly receipt: string; readonly item: string }
export type Making = { readonly key: string; readonly item: string }
export type Ticket = { readonly number: number }
export type Price = { readonly euros: number }

/** What every item costs at first. No call may be made at this price: it has risen since. */
export const FIRST_PRICE = 1
export type Vendor = {
  readonly make: (args: Making, signal: AbortSignal) => Promise<Receipt>
  readonly find: (
    args: { readonly idempotencyKey: string; readonly args: unknown },
    signal: AbortSignal,
  ) => Promise<Receipt | null>
  /** A different number on every call. */
  readonly ticket: (args: { readonly item: string }, signal: AbortSignal) => Promise<Ticket>
  /** The price of an item, which rises once: after it was read for the first time. */
  readonly price: (args: { readonly item: string }, signal: AbortSignal) => Promise<Price>
}
export type OutsideKind = Exclude<RecoveryKind, 'transaction'>

// Longer than any process is paused: a request that a paused node still sends arrives within this
// time, as `settle` promises.
export const SETTLE_MS = 6_000

/**
 * One vendor behind three ports, each with a different assumption about how to find out whether an
 * effect happened.
 */
export const VENDOR_PORTS: Readonly<Record<OutsideKind, Port<Vendor>>> = {
  sameKey: definePort<Vendor>('sameKey', {
    make: sameKey({ validFor: '1d' }),
    find: 'read',
    ticket: 'read',
    price: 'read',
  }),
  lookUp: definePort<Vendor>('lookUp', {
    make: lookUp({ method: 'find', settle: `${SETTLE_MS}ms` }),
    find: 'read',
    ticket: 'read',
    price: 'read',
  }),
  none: definePort<Vendor>('none', {
    make: unrecoverable,
    find: 'read',
    ticket: 'read',
    price: 'read',
  }),
}
