import type { AuditEntry } from '@surehand/core/ports'
import type { PackedRecords } from './packed-records.ts'
import { type Chunk, countRecords, recordPacker } from './record-packer.ts'

export type RecordBuffer = {
  /** How many are not known to be written. */
  readonly waiting: () => number
  readonly push: (entry: AuditEntry) => void
  /** Writes what waits now, and no more: while others call, something always waits. */
  readonly flush: () => Promise<void>
  /** Ends the tries to write what could not be written. */
  readonly stop: () => void
}

export type RecordBufferOptions = {
  /** `attempt`: whether an earlier one may have written them, although its result was lost. */
  readonly write: (packed: readonly PackedRecords[], attempt: 'first' | 'repeated') => Promise<void>
  /** Receives the errors of batches that could not be written. */
  readonly onTrouble: (error: unknown) => void
}

// Half of the promised delay, so that the other half is left for the write itself.
const FLUSH_MS = 50
// So many are written sooner: where the writer's thread has no core of its own, callers wait while it
// works.
const WRITTEN_SOON = 128
// Callers wait while a batch is sent, too; and a commit for a few records costs as much as one for
// many.
const WRITTEN_AT_ONCE = 1_000

/** Buffers records of reads, and writes them in batches. */
export function recordBuffer({ write, onTrouble }: RecordBufferOptions): RecordBuffer {
  const packer = recordPacker()
  /** What is being written, or could not be. */
  let unconfirmed: readonly Chunk[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<boolean> | undefined

  const waiting = () => packer.count() + countRecords(unconfirmed)

  async function writeChunks(attempt: 'first' | 'repeated'): Promise<void> {
    const nowMs = performance.now()
    await write(
      unconfirmed.map(({ text, packedAtMs }) => ({ text, waitedMs: nowMs - packedAtMs })),
      attempt,
    )
    unconfirmed = []
  }

  // What arrives meanwhile waits for the next turn: under load there would be hundreds of commits
  // in a second.
  async function writeWaiting(): Promise<void> {
    let left = packer.count()
    if (unconfirmed.length > 0) await writeChunks('repeated')
    while (left > 0) {
      await packer.packAtLeast(Math.min(left, WRITTEN_AT_ONCE))
      unconfirmed = packer.take(WRITTEN_AT_ONCE)
      left -= countRecords(unconfirmed)
      await writeChunks('first')
    }
  }

  function takeTurn(): Promise<boolean> {
    disarm()
    writing ??= writeWaiting()
      .then(
        () => true,
        (error: unknown) => {
          onTrouble(error)
          return false
        },
      )
      .finally(() => {
        writing = undefined
        if (waiting() > 0) arm()
      })
    return writing
  }

  function arm(): void {
    timer ??= setTimeout(() => void takeTurn(), packer.count() < WRITTEN_SOON ? FLUSH_MS : 0)
  }

  function disarm(): void {
    clearTimeout(timer)
    timer = undefined
  }

  return {
    waiting,
    push(entry) {
      packer.push(entry)
      if (packer.count() === WRITTEN_SOON) disarm()
      arm()
    },
    async flush() {
      if (waiting() === 0) return
      const isUnderWay = writing !== undefined
      // A turn that is under way leaves what arrived since it began to the next one.
      if ((await takeTurn()) && isUnderWay) await takeTurn()
    },
    stop: disarm,
  }
}
