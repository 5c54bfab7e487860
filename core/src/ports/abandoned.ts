import type { CallRow } from '../call/call-row.ts'

/** Has its lease run out? By the store's clock: a node whose own is wrong must not take over what is in good hands. */
export function isAbandoned(row: CallRow): boolean {
  return row.leaseUntil !== undefined && row.leaseUntil <= row.readAt
}
