/**
 * Memory that both threads see: for every place of a group whether its run was given up, and a gate before the group's commit.
 * The gate counts those who gave up in time. The writer shuts it only at the count it has looked at, so of a run that is
 * given up and a commit that begins, one comes first and both sides know which.
 */
export type CommitGate = Int32Array<SharedArrayBuffer>

/** More wait for the next group: the gate has a place for each. */
export const MOST_IN_GROUP = 256

const GATE = MOST_IN_GROUP
const SHUT = -1
const GIVEN_UP = 2

export function makeCommitGate(): CommitGate {
  return new Int32Array(new SharedArrayBuffer((MOST_IN_GROUP + 1) * Int32Array.BYTES_PER_ELEMENT))
}

/** For a new group; nobody may be at work on the old one. */
export function openGate(gate: CommitGate): void {
  gate.fill(0)
}

/** True: it is not committed and will not be. False: the commit is under way, and its answer is the truth. */
export function giveUp(gate: CommitGate, place: number): boolean {
  // the mark comes before the count: the writer that fails to shut the gate looks at the marks again
  Atomics.store(gate, place, GIVEN_UP)
  for (;;) {
    const seen = Atomics.load(gate, GATE)
    if (seen === SHUT) return false
    if (Atomics.compareExchange(gate, GATE, seen, seen + 1) === seen) return true
  }
}

export function isGivenUp(gate: CommitGate, place: number): boolean {
  return Atomics.load(gate, place) === GIVEN_UP
}

/** True: shut, and what stands in these places may be committed. False: one of them was given up. */
export function shutGate(gate: CommitGate, places: readonly number[]): boolean {
  for (;;) {
    const seen = Atomics.load(gate, GATE)
    if (places.some((place) => isGivenUp(gate, place))) return false
    if (Atomics.compareExchange(gate, GATE, seen, SHUT) === seen) return true
  }
}
