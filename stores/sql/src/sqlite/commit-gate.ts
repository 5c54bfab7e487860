/**
 * Memory that both threads see: for every place of a group whether its run was given up, and a gate before the group's commit.
 * The gate counts those who gave up in time. The writer shuts it only at the count it has looked at, so of a run that is
 * given up and a commit that begins, one comes first and both sides know which.
 */
export type CommitGate = Int32Array<SharedArrayBuffer>

/** More wait for the next group: the gate has a place for each. */
export const MOST_IN_GROUP = 256

const GATE = MOST_IN_GROUP
const AT = MOST_IN_GROUP + 1
const SHUT = -1
const BARRED = -2
const GIVEN_UP = 2

/** How far the writer has come with its group; a number is the place of the item at work. */
export type Progress = 'posted' | 'waiting' | 'committing' | number

const POSTED = 0
const WAITING = -1

/** Two groups: the next one lies ready when the one at work is answered. More would only be smaller. */
const MOST_UNDER_WAY = 2

export function makeCommitGates(): readonly CommitGate[] {
  const bytes = (MOST_IN_GROUP + 2) * Int32Array.BYTES_PER_ELEMENT
  return Array.from({ length: MOST_UNDER_WAY }, () => new Int32Array(new SharedArrayBuffer(bytes)))
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
    if (seen === BARRED) return true
    if (Atomics.compareExchange(gate, GATE, seen, seen + 1) === seen) return true
  }
}

export function isGivenUp(gate: CommitGate, place: number): boolean {
  return Atomics.load(gate, place) === GIVEN_UP
}

/** True: shut, and what stands in these places may be committed. False: one of them was given up, or all were. */
export function shutGate(gate: CommitGate, places: readonly number[]): boolean {
  for (;;) {
    const seen = Atomics.load(gate, GATE)
    if (seen === BARRED) return false
    if (places.some((place) => isGivenUp(gate, place))) return false
    if (Atomics.compareExchange(gate, GATE, seen, SHUT) === seen) return true
  }
}

/** True: nothing of this group is committed or will be. False: the commit is under way. */
export function barGate(gate: CommitGate): boolean {
  for (;;) {
    const seen = Atomics.load(gate, GATE)
    if (seen === SHUT) return false
    if (Atomics.compareExchange(gate, GATE, seen, BARRED) === seen) return true
  }
}

export function isAt(gate: CommitGate, place: number): void {
  Atomics.store(gate, AT, place + 1)
}

/** The file is somebody else's for the moment. */
export function isWaiting(gate: CommitGate): void {
  Atomics.store(gate, AT, WAITING)
}

export function progressOf(gate: CommitGate): Progress {
  if (Atomics.load(gate, GATE) === SHUT) return 'committing'
  const at = Atomics.load(gate, AT)
  if (at === POSTED) return 'posted'
  return at === WAITING ? 'waiting' : at - 1
}
