import type { AuditEntry } from '@surehand/core/ports'
import { type PackedRecords, packRecords } from './packed-records.ts'
import { olderValues, recordValues, toRecord } from './record-row.ts'

export type RecordBuffer = {
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
// Callers wait while records are hashed. And an entry is many objects: the fewer of them wait, the
// shorter the collections of garbage.
const PACKED_AT_ONCE = 32
// Callers wait while a batch is sent, too; and a commit for a few records costs as much as one for
// many.
const WRITTEN_AT_ONCE = 1_000

/** The time since which it waits, by this process's monotonic clock. */
type Waiting = { readonly entry: AuditEntry; readonly sinceMs: number }

type Chunk = { readonly text: string; readonly count: number; readonly packedAtMs: number }

/** Records of reads: hashed and packed while no caller waits, and written in batches. */
export function recordBuffer({ write, onTrouble }: RecordBufferOptions): RecordBuffer {
  const fresh: Waiting[] = []
  const packed: Chunk[] = []
  let packedCount = 0
  /** What is being written, or could not be. */
  let failed: readonly Chunk[] = []
  let isPacking = false
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<boolean> | undefined

  const unsent = () => fresh.length + packedCount

  function packSome(): void {
    const part = fresh.splice(0, PACKED_AT_ONCE)
    if (part.length === 0) return
    const nowMs = performance.now()
    const rows = part.map(({ entry, sinceMs }) =>
      olderValues(recordValues(toRecord(entry)), nowMs - sinceMs),
    )
    packed.push({ text: packRecords(rows), count: rows.length, packedAtMs: nowMs })
    packedCount += rows.length
  }

  /** When the callers of this turn of the event loop have their answers. */
  function packSoon(): void {
    if (isPacking || fresh.length < PACKED_AT_ONCE) return
    isPacking = true
    setImmediate(() => {
      isPacking = false
      packSome()
      packSoon()
    })
  }

  /** Packs until so many records can be written; other requests are served in between. */
  async function packAtLeast(count: number): Promise<void> {
    while (packedCount < count && fresh.length > 0) {
      packSome()
      if (packedCount < count) await new Promise(setImmediate)
    }
  }

  function takePacked(): readonly Chunk[] {
    let count = 0
    let chunks = 0
    for (const chunk of packed) {
      if (count >= WRITTEN_AT_ONCE) break
      count += chunk.count
      chunks++
    }
    packedCount -= count
    return packed.splice(0, chunks)
  }

  async function writeChunks(chunks: readonly Chunk[], attempt: 'first' | 'repeated') {
    const nowMs = performance.now()
    const batch = chunks.map(({ text, packedAtMs }) => ({ text, waitedMs: nowMs - packedAtMs }))
    failed = chunks
    await write(batch, attempt)
    failed = []
  }

  // What arrives meanwhile waits for the next turn: under load there would be hundreds of commits
  // in a second.
  async function writeWaiting(): Promise<void> {
    let left = unsent()
    if (failed.length > 0) await writeChunks(failed, 'repeated')
    while (left > 0) {
      await packAtLeast(Math.min(left, WRITTEN_AT_ONCE))
      const chunks = takePacked()
      left -= countOf(chunks)
      await writeChunks(chunks, 'first')
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
        if (unsent() > 0 || failed.length > 0) arm()
      })
    return writing
  }

  function arm(): void {
    timer ??= setTimeout(() => void takeTurn(), unsent() < WRITTEN_SOON ? FLUSH_MS : 0)
  }

  function disarm(): void {
    clearTimeout(timer)
    timer = undefined
  }

  const waiting = () => unsent() + countOf(failed)

  return {
    waiting,
    push(entry) {
      fresh.push({ entry, sinceMs: performance.now() })
      if (unsent() === WRITTEN_SOON) disarm()
      arm()
      packSoon()
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

function countOf(chunks: readonly Chunk[]): number {
  let count = 0
  for (const chunk of chunks) count += chunk.count
  return count
}
