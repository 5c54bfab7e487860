import type { CallRow } from '../call/call-row.ts'
import type { Fence } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ledger } from './ledger.ts'

/** The row, if it is still held under this fence. */
export function rowUnderFence(fence: Fence, ledger: Ledger): CallRow | undefined {
  const row = ledger.byCall(fence.tenant, fence.callId)
  const isHeld =
    row !== undefined &&
    row.fence === fence.fence &&
    (row.state === 'claimed' || row.state === 'effect_started')
  return isHeld ? row : undefined
}

export function isAbandoned(row: CallRow, clock: Clock): boolean {
  return row.leaseUntil !== undefined && row.leaseUntil <= clock.now()
}
