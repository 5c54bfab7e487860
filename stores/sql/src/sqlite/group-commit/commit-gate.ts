/**
 * Memory shared by both threads: for every entry of a batch whether it was cancelled, and a gate
 * before the batch's commit. The gate counts the cancellations. The writer closes it only at the
 * count it has seen, so of a cancellation and a commit one comes first, and both sides know which.
 */
export type CommitGate = Int32Array<SharedArrayBuffer>

/** The gate has one slot per entry; more writes wait for the next batch. */
export const MAX_BATCH_SIZE = 256

const GATE = MAX_BATCH_SIZE
const AT = MAX_BATCH_SIZE + 1
const CLOSED = -1
const ABORTED = -2
const CANCELLED = 2

/** How far the writer has come with its batch; a number is the index of the current write. */
export type Progress = 'posted' | 'waiting' | 'committing' | number

const POSTED = 0
const WAITING = -1

/**
 * Two batches: the second lies ready when the first is answered. More would only make each of them
 * smaller.
 */
const MAX_BATCHES_IN_FLIGHT = 2

export function makeCommitGates(): readonly CommitGate[] {
  const bytes = (MAX_BATCH_SIZE + 2) * Int32Array.BYTES_PER_ELEMENT
  return Array.from(
    { length: MAX_BATCHES_IN_FLIGHT },
    () => new Int32Array(new SharedArrayBuffer(bytes)),
  )
}

/** Prepares the gate for a new batch; the writer must have finished the previous one. */
export function resetGate(gate: CommitGate): void {
  gate.fill(0)
}

/**
 * True: the entry is not committed and will not be. False: the commit has begun, and its result
 * counts.
 */
export function cancelEntry(gate: CommitGate, index: number): boolean {
  // The mark is set before the count: a writer that fails to close the gate reads the marks again.
  Atomics.store(gate, index, CANCELLED)
  for (;;) {
    const seen = Atomics.load(gate, GATE)
    if (seen === CLOSED) return false
    if (seen === ABORTED) return true
    if (Atomics.compareExchange(gate, GATE, seen, seen + 1) === seen) return true
  }
}

export function isCancelled(gate: CommitGate, index: number): boolean {
  return Atomics.load(gate, index) === CANCELLED
}

/**
 * True: the gate is closed and the entries at these indexes may be committed. False: one of them,
 * or the whole batch, was cancelled.
 */
export function closeGate(gate: CommitGate, indexes: readonly number[]): boolean {
  for (;;) {
    const seen = Atomics.load(gate, GATE)
    if (seen === ABORTED) return false
    if (indexes.some((index) => isCancelled(gate, index))) return false
    if (Atomics.compareExchange(gate, GATE, seen, CLOSED) === seen) return true
  }
}

/** True: nothing of this batch is committed or will be. False: the commit has begun. */
export function abortBatch(gate: CommitGate): boolean {
  for (;;) {
    const seen = Atomics.load(gate, GATE)
    if (seen === CLOSED) return false
    if (Atomics.compareExchange(gate, GATE, seen, ABORTED) === seen) return true
  }
}

export function setProgress(gate: CommitGate, index: number): void {
  Atomics.store(gate, AT, index + 1)
}

/** Another process holds the file's write lock at the moment. */
export function setWaitingForLock(gate: CommitGate): void {
  Atomics.store(gate, AT, WAITING)
}

export function readProgress(gate: CommitGate): Progress {
  if (Atomics.load(gate, GATE) === CLOSED) return 'committing'
  const at = Atomics.load(gate, AT)
  if (at === POSTED) return 'posted'
  return at === WAITING ? 'waiting' : at - 1
}
