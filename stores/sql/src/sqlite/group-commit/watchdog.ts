import type { WriteRequest } from './batch.ts'
import { type CommitGate, isCancelled, type Progress, readProgress } from './commit-gate.ts'

/** How often the watchdog is called. */
export const CHECK_MS = 1_000
// Counted in checks, not in time: a process that was suspended for a minute has not waited for a
// minute.
const STUCK_CHECKS = 6
// Steps are our own code and always end, but an erasure may take long.
const LONG_STEP_CHECKS = 60

type Observation = {
  readonly batch: readonly WriteRequest[]
  readonly at: Progress
  readonly most: number
}

/**
 * Decides whether the thread makes no progress; it is called regularly while a batch is in
 * progress.
 */
export function watchdog(): (gate: CommitGate, batch: readonly WriteRequest[]) => boolean {
  let last: Observation | undefined
  let looks = 0
  return (gate, batch) => {
    const at = readProgress(gate)
    const sight = { batch, at, most: maxChecks(gate, batch, at) }
    looks = last?.batch === batch && last.at === at && last.most === sight.most ? looks + 1 : 0
    last = sight
    return looks >= sight.most
  }
}

function maxChecks(gate: CommitGate, batch: readonly WriteRequest[], at: Progress): number {
  switch (at) {
    case 'posted':
      return STUCK_CHECKS
    // Both end by themselves, and terminating the thread would not stop the operation inside the
    // database.
    case 'waiting':
    case 'committing':
      return Number.POSITIVE_INFINITY
    default:
      if (batch[at]?.kind === 'step') return LONG_STEP_CHECKS
      // Until its timeout a function may take as long as it needs.
      return isCancelled(gate, at) ? STUCK_CHECKS : Number.POSITIVE_INFINITY
  }
}
