import { type CommitGate, isGivenUp, type Progress, progressOf } from './commit-gate.ts'
import type { Item } from './group.ts'

/** How often it is asked. */
export const LOOK_MS = 1_000
// counted in looks and not by the clock: a process that was stopped for a minute has not waited for a minute
const STUCK_LOOKS = 6
// a step is our own and ends; an erasure may take its time
const LONG_LOOKS = 60

type Sight = { readonly group: readonly Item[]; readonly at: Progress; readonly most: number }

/** Tells whether a thread stands still; asked again and again while it is at a group. */
export function watchdog(): (gate: CommitGate, group: readonly Item[]) => boolean {
  let last: Sight | undefined
  let looks = 0
  return (gate, group) => {
    const at = progressOf(gate)
    const sight = { group, at, most: mostLooks(gate, group, at) }
    looks = last?.group === group && last.at === at && last.most === sight.most ? looks + 1 : 0
    last = sight
    return looks >= sight.most
  }
}

function mostLooks(gate: CommitGate, group: readonly Item[], at: Progress): number {
  switch (at) {
    case 'posted':
      return STUCK_LOOKS
    // both end by themselves, and what is under way in the database is not to be had by ending the thread
    case 'waiting':
    case 'committing':
      return Number.POSITIVE_INFINITY
    default:
      if (group[at]?.kind === 'step') return LONG_LOOKS
      // within its time it may do what it likes
      return isGivenUp(gate, at) ? STUCK_LOOKS : Number.POSITIVE_INFINITY
  }
}
