import { definePort, lookUp, sameKey, unrecoverable } from '@surehand/core'
import type { Receipt } from './emulator.ts'

export type Making = {
  readonly key: string
  readonly item: string
  readonly [other: string]: unknown
}
export type Maker = { readonly make: (args: Making, signal: AbortSignal) => Promise<Receipt> }
export type FindableMaker = Maker & {
  readonly find: (
    args: { readonly idempotencyKey: string; readonly args: unknown },
    signal: AbortSignal,
  ) => Promise<Receipt | null>
}
export type Shelf = {
  readonly look: (
    args: { readonly item: string },
    signal: AbortSignal,
  ) => Promise<{ readonly item: string; readonly serial: number }>
}
export type Rules = {
  readonly ask: (args: object, signal: AbortSignal) => Promise<'open' | 'closed'>
}

/** One port a recovery class, and some to read from. */
export const orders = definePort<Maker>('orders', { make: sameKey({ validFor: '1h' }) })
export const mail = definePort<FindableMaker>('mail', {
  make: lookUp({ method: 'find' }),
  find: 'read',
})
export const parcels = definePort<FindableMaker>('parcels', {
  make: lookUp({ method: 'find', settle: '2s' }),
  find: 'read',
})
export const fax = definePort<Maker>('fax', { make: unrecoverable })
/** An adapter whose author declared no effect at all. */
export const legacy = definePort<Maker>('legacy', { make: 'read' })
export const shelf = definePort<Shelf>('shelf', { look: 'read' })
export const rules = definePort<Rules>('rules', { ask: 'read' })
