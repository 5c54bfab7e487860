import type { CallRow, NewCall } from '../call/call-row.ts'
import type { Ending } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'

/** A row for a call. A freed key keeps the provider's key while the same is meant. */
export function newRow(
  call: NewCall,
  existing: CallRow | undefined,
  start: RowStart,
  clock: Clock,
): CallRow {
  const now = clock.now()
  return {
    ...call,
    providerKey: existing?.inputHash === call.inputHash ? existing.providerKey : call.providerKey,
    state: start.state,
    fence: (existing?.fence ?? 0) + 1,
    leaseUntil: start.leaseUntil,
    approvalId: start.approvalId,
    effect: undefined,
    answer: undefined,
    isToStop: false,
    spentMs: 0,
    createdAt: now,
    updatedAt: now,
    readAt: now,
  }
}

export type RowStart = {
  readonly state: CallRow['state']
  readonly leaseUntil?: number
  readonly approvalId?: string
}

/** The row of a call that has come to an end, or back on the list. */
export function finishRow(row: CallRow, ending: Ending, clock: Clock): CallRow {
  return {
    ...row,
    state: ending.state,
    leaseUntil: undefined,
    // back on the list because nothing happened: the next try must not take what was announced for an effect under way
    effect: ending.state === 'queued' ? undefined : row.effect,
    answer: 'answer' in ending ? ending.answer : undefined,
    // what has ended never runs again, so its input need not be kept; what nobody knows may
    input: ending.state === 'unknown' || ending.state === 'queued' ? row.input : '',
    updatedAt: clock.now(),
  }
}
