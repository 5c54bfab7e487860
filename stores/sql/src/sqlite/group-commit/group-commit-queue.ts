import { ToolError } from '@surehand/core'
import type { LocalDone } from '@surehand/core/ports'
import { givenValue } from '../../calls/call-row.ts'
import { storageError, undoneError } from '../../storage-error.ts'
import { deserializeError } from '../serialized-error.ts'
import type { Batch, BatchResult, WriteRequest, WriteResult } from './batch.ts'
import {
  abortBatch,
  type CommitGate,
  cancelEntry,
  MAX_BATCH_SIZE,
  resetGate,
} from './commit-gate.ts'
import { settleInTurns } from './settle-in-turns.ts'
import type { WriterThread } from './start-thread.ts'
import type { BatchSlot } from './transaction-runner.ts'
import { watchdog } from './watchdog.ts'

/** A write that waits for its batch, or for the result of its batch. */
type QueueEntry = {
  readonly write: WriteRequest
  readonly synchronous: Batch['synchronous']
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly isOver: () => boolean
  /** Its position in the batch that was sent. */
  slot: BatchSlot | undefined
  /** Its result has arrived, though the caller may not have it yet. */
  hasResult: boolean
}

/** A batch that was sent to the writer and has no result yet. */
type SentBatch = {
  readonly entries: readonly QueueEntry[]
  readonly writes: readonly WriteRequest[]
  readonly gate: CommitGate
}

// Fewer writes than this are not split over two batches: they share one commit.
const SMALL_BATCH = 8
// For this long after a thread has died every write is a batch of its own, so that a write that
// kills its thread takes no other write with it.
const ISOLATION_MS = 30_000
// A timer with a longer delay would fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Collects the writes that arrive while the writer commits, and sends them as the next batch: many
 * writes share one fsync. With group commit off, every batch holds one write.
 */
export class GroupCommitQueue {
  #waiting: QueueEntry[] = []
  // The writer works on the first and the second lies ready, so that it never waits for this thread
  // between two batches.
  #sent: SentBatch[] = []
  #thread: WriterThread | undefined
  #isStuck: ReturnType<typeof watchdog> = () => false
  #isolateUntil = 0
  #isScheduled = false
  #closedError: Error | undefined
  #onIdle: (() => void) | undefined
  readonly #groupCommit: 'on' | 'off'
  readonly #settlements = settleInTurns(() => this.#afterBatch())

  constructor(groupCommit: 'on' | 'off') {
    this.#groupCommit = groupCommit
  }

  add(write: WriteRequest, synchronous: Batch['synchronous']): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const isOver = (): boolean => false
      const entry = { write, synchronous, resolve, reject, isOver, slot: undefined }
      this.#push({ ...entry, hasResult: false })
    })
  }

  /** Rejects when the time is over, unless the commit has begun: then its result is awaited. */
  addWithTimeout(
    timeoutMs: number,
    write: WriteRequest & { readonly kind: 'local' },
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let isOver = false
      const timer = setTimeout(
        () => {
          if (!this.#cancel(entry)) return
          isOver = true
          reject(timeoutError(write.request.name, timeoutMs))
        },
        Math.min(timeoutMs, MAX_TIMER_MS),
      )
      const withoutTimer = <T>(end: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer)
          end(value)
        }
      }
      const entry: QueueEntry = {
        write,
        synchronous: 'FULL',
        resolve: withoutTimer((value) =>
          value === CANCELLED
            ? reject(timeoutError(write.request.name, timeoutMs))
            : resolve(value),
        ),
        reject: withoutTimer(reject),
        isOver: () => isOver,
        slot: undefined,
        hasResult: false,
      }
      this.#push(entry)
    })
  }

  /**
   * Sets the thread that commits from now on. `isolated`: every write is a batch of its own for a
   * while.
   */
  useThread(thread: WriterThread, mode: 'batches' | 'isolated' = 'batches'): void {
    this.#thread = thread
    this.#isStuck = watchdog()
    if (mode === 'isolated') this.#isolateUntil = performance.now() + ISOLATION_MS
    this.#schedule()
  }

  /** Settles the entries of the first sent batch; returns whether the batch has enqueued jobs. */
  settleBatch(result: BatchResult): boolean {
    const entries = this.#sent.shift()?.entries ?? []
    // First of all the next batch, so that the writer works while these entries are settled.
    this.#post()
    for (const entry of entries) entry.hasResult = true
    this.#settlements.add(
      entries.map((entry, index) =>
        result.kind === 'failed'
          ? () => entry.reject(deserializeError(result.error))
          : () => settleEntry(entry, result.results[index]),
      ),
    )
    this.#afterBatch()
    return result.kind === 'committed' && result.hasEnqueued
  }

  /**
   * Terminates a thread that makes no progress, which also releases the file's lock. Returns the
   * error to reject its batch with.
   */
  terminateIfStuck(): Error | undefined {
    const thread = this.#thread
    const [atWork] = this.#sent
    if (thread === undefined || atWork === undefined || !this.#isStuck(atWork.gate, atWork.writes))
      return undefined
    // It has begun to commit after all.
    if (!abortBatch(atWork.gate)) return undefined
    thread.end()
    return storageError('the writer made no progress and was terminated')
  }

  /** The thread has exited together with the batch it was working on. */
  onThreadLost(error: Error): void {
    this.#thread = undefined
    const [atWork, ...ready] = this.#sent.splice(0)
    if (atWork !== undefined) rejectBatch(atWork, error)
    for (const sentBatch of ready) {
      // The thread had not started this batch and cannot any more, so the next thread gets it.
      if (abortBatch(sentBatch.gate)) this.#requeue(sentBatch.entries)
      else rejectBatch(sentBatch, error)
    }
    if (this.#closedError !== undefined) this.rejectWaiting(this.#closedError)
    this.#afterBatch()
  }

  /** Rejects the entries that have not been sent, because no thread can be started. */
  rejectWaiting(error: Error): void {
    for (const entry of this.#waiting.splice(0)) entry.reject(undoneError(error))
    this.#afterBatch()
  }

  /** Rejects every write from now on. */
  stopAccepting(): Error {
    return this.refuse(undoneError('it is closed'))
  }

  /** The same with a reason of its own; the first reason stands. */
  refuse(reason: Error): Error {
    this.#closedError ??= reason
    if (this.#thread === undefined) this.rejectWaiting(this.#closedError)
    return this.#closedError
  }

  /** Finishes the writes that were accepted before. */
  async close(): Promise<void> {
    const closedError = this.stopAccepting()
    if (this.#thread === undefined) this.rejectWaiting(closedError)
    if (!this.#isIdle())
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    await this.#thread?.close()
    this.#thread = undefined
  }

  #push(entry: QueueEntry): void {
    if (this.#closedError === undefined) this.#waiting.push(entry)
    else entry.reject(this.#closedError)
    this.#schedule()
  }

  #requeue(entries: readonly QueueEntry[]): void {
    for (const entry of entries) entry.slot = undefined
    this.#waiting.unshift(...entries)
  }

  #isIdle(): boolean {
    return this.#sent.length === 0 && this.#waiting.length === 0 && this.#settlements.areDone()
  }

  #afterBatch(): void {
    this.#schedule()
    if (this.#isIdle()) this.#onIdle?.()
  }

  // Not immediately, because callers that were answered together send their next writes together.
  // And only half of many: if all callers moved as one batch, this thread and the writer would take
  // turns waiting for each other.
  #schedule(): void {
    if (this.#isScheduled || !this.#canSend()) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      const isFirst = this.#sent.length === 0 && this.#waiting.length >= SMALL_BATCH
      this.#post(isFirst ? Math.ceil(this.#waiting.length / 2) : MAX_BATCH_SIZE)
    })
  }

  // A few writes wait for the result of the batch before them: more may arrive to share their
  // commit.
  #canSend(): boolean {
    if (this.#thread === undefined || this.#waiting.length === 0) return false
    if (this.#sent.length === 0) return true
    return (
      this.#sent.length < this.#thread.gates.length &&
      this.#waiting.length >= SMALL_BATCH &&
      !this.#isIsolating()
    )
  }

  #isIsolating(): boolean {
    return this.#groupCommit === 'off' || performance.now() < this.#isolateUntil
  }

  #post(wanted: number = MAX_BATCH_SIZE): void {
    if (!this.#canSend()) return
    const size = this.#isIsolating() ? 1 : Math.min(wanted, MAX_BATCH_SIZE)
    // A write that timed out before it was sent is never started.
    const entries = this.#waiting.splice(0, size).filter((entry) => !entry.isOver())
    try {
      this.#send(entries)
    } catch {
      // Some write cannot be cloned into another thread: only that one is rejected.
      this.#send(entries.filter(isCloneable))
    }
    this.#afterBatch()
  }

  #send(entries: readonly QueueEntry[]): void {
    const thread = this.#thread
    if (thread === undefined || entries.length === 0) return
    const [number, gate] = this.#freeGate(thread)
    resetGate(gate)
    const synchronous = entries.some((entry) => entry.synchronous === 'FULL') ? 'FULL' : 'NORMAL'
    const writes = entries.map(({ write }) => write)
    thread.post({ synchronous, writes, gate: number })
    for (const [index, entry] of entries.entries()) entry.slot = { gate, index }
    this.#sent.push({ entries, writes, gate })
  }

  #freeGate({ gates }: WriterThread): readonly [number, CommitGate] {
    const free = [...gates.entries()].find(([, gate]) =>
      this.#sent.every((sentBatch) => sentBatch.gate !== gate),
    )
    if (free === undefined) throw new TypeError('There is no free gate for another batch.')
    return free
  }

  /** Returns false when it is too late because the commit has begun. */
  #cancel({ slot, hasResult }: QueueEntry): boolean {
    if (hasResult) return false
    const thread = this.#thread
    // It has not been sent, or its thread has exited.
    if (slot === undefined || thread === undefined) return true
    if (!cancelEntry(slot.gate, slot.index)) return false
    thread.post('check-cancelled')
    return true
  }
}

const CANCELLED = Symbol('cancelled')

function isCloneable({ write, reject }: QueueEntry): boolean {
  try {
    structuredClone(write)
    return true
  } catch (cause) {
    reject(cause instanceof Error ? cause : new TypeError(String(cause)))
    return false
  }
}

function settleEntry(entry: QueueEntry, result: WriteResult | undefined): void {
  switch (result?.kind) {
    case 'done':
      entry.resolve(result.value)
      break
    case 'stored':
      entry.resolve(toLocalDone(entry.write, result))
      break
    case 'error':
      entry.reject(deserializeError(result.error))
      break
    case 'cancelled':
      entry.resolve(CANCELLED)
      break
    case undefined:
      entry.reject(storageError('the writer returned no result for this write'))
  }
}

function toLocalDone(
  write: WriteRequest,
  { fence, json }: Extract<WriteResult, { kind: 'stored' }>,
): LocalDone {
  if (write.kind !== 'local') throw new TypeError('Only a local effect has a stored result.')
  const { given } = write.request.claim
  const parentId = givenValue(given, 'parent_id')
  return {
    kind: 'done',
    fence: {
      tenant: String(givenValue(given, 'tenant')),
      callId: String(givenValue(given, 'call_id')),
      fence,
      parentId: parentId === null ? undefined : String(parentId),
    },
    result: json === undefined ? undefined : JSON.parse(json),
  }
}

function rejectBatch({ entries, gate }: SentBatch, error: Error): void {
  // If the commit had begun, it is not known whether it succeeded.
  const isUndone = abortBatch(gate)
  for (const { write, reject } of entries)
    reject(isUndone && write.kind === 'local' ? nothingDoneError(error) : error)
}

// Only for local effects: a step may report an effect that happened elsewhere, and that must not
// be taken for undone.
function nothingDoneError(cause: Error): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    "The writer's thread has exited and nothing was written. Try again.",
    { effect: 'none', cause },
  )
}

function timeoutError(name: string, timeoutMs: number): ToolError {
  return new ToolError(
    'TOOL_EXECUTION_TIMEOUT',
    `${name} did not finish within ${timeoutMs} ms and was rolled back.`,
    { effect: 'none' },
  )
}
