/** Between which two durable steps: the store's methods, a wake-up's delivery, and the vendor's. */
export const FAILPOINTS = [
  'calls.claim',
  'calls.startEffect',
  'calls.renew',
  'calls.finish',
  'calls.abandon',
  'calls.transact',
  'calls.queue',
  'calls.postpone',
  'calls.cancel',
  'calls.addEvidence',
  'approvals.ask',
  'approvals.decide',
  'jobs.enqueue',
  'jobs.delivery',
  'vendor.make',
  'vendor.find',
] as const
export type FailpointName = (typeof FAILPOINTS)[number]
export type Side = 'before' | 'after'

/** What becomes of a process that comes by. Armed for an item, it lets everybody else's calls pass. */
export type Failpoint = {
  readonly name: FailpointName
  readonly side: Side
  readonly does: { readonly kind: 'die' } | { readonly kind: 'stand-still'; readonly forMs: number }
  readonly item?: string
}
