import type { AuditEntry, AuditStore } from '@surehand/core/ports'
import { ToolError } from '@surehand/core/worker-entry'
import type { Database } from '../database.ts'
import { appendPlaced } from './append-placed.ts'
import { appendMissing, appendRecord, appendRecords } from './append-records.ts'
import { readFigures } from './figures.ts'
import { listInWindows } from './list-records.ts'
import { type StoredRecord, toRecord } from './record-row.ts'
import type { RecordSealer } from './record-seal.ts'

export type SqlAudit = AuditStore & {
  /** Writes the buffered records now; records that cannot be written stay in the buffer. */
  readonly flush: () => Promise<void>
  /** Writes the buffered records; throws if some cannot be written. */
  readonly close: () => Promise<void>
}

// Half of the promised delay, so that the other half is left for the write itself.
const FLUSH_MS = 50
// Callers wait while a batch is hashed and sent, so batches are small, and larger only when many
// records wait.
const AT_ONCE = { few: 64, most: 1_000, ofWaiting: 1 / 8 }
// A database that is unavailable for a moment costs no record; one that stays unavailable must not
// exhaust the memory.
const MOST_WAITING = 20_000

const APPEND = { sqlite: appendPlaced, postgres: appendRecords }

/** The time since which it waits, by this process's monotonic clock. */
type Waiting<T> = { readonly value: T; readonly sinceMs: number }

type Opened = Pick<Database, 'step' | 'dialect'>
type OnTrouble = (error: unknown) => void

/**
 * Audit records in the database. Records of reads are buffered and written in batches. `onTrouble`
 * receives the errors of batches that could not be written.
 */
export function sqlAudit(
  database: Opened,
  onTrouble: OnTrouble,
  seal: RecordSealer['record'] = toRecord,
): SqlAudit {
  const { waiting, push, flush, stop } = recordBuffer(database, onTrouble, seal)

  async function pushWhenThereIsRoom(entry: AuditEntry): Promise<void> {
    await flush()
    if (waiting() >= MOST_WAITING)
      throw new ToolError(
        'TOOL_STORAGE_ERROR',
        `${MOST_WAITING} audit records wait for a database that takes none.`,
      )
    push(entry)
  }

  return {
    append(entry, durability) {
      if (durability === 'before-answer') return database.step(appendRecord, seal(entry))
      if (waiting() >= MOST_WAITING) return pushWhenThereIsRoom(entry)
      push(entry)
    },
    async list(filter) {
      // A reader sees every record of the answers this node has given.
      await flush()
      return listInWindows(database, filter)
    },
    async figures(filter) {
      await flush()
      return database.step(readFigures, filter)
    },
    flush,
    async close() {
      await flush()
      stop()
      if (waiting() > 0)
        throw new ToolError(
          'TOOL_STORAGE_ERROR',
          `${waiting()} audit records could not be written.`,
        )
    },
  }
}

type RecordBuffer = {
  readonly waiting: () => number
  readonly push: (entry: AuditEntry) => void
  /** Writes what waits now, and no more: while others call, something always waits. */
  readonly flush: () => Promise<void>
  /** Ends the tries to write what could not be written. */
  readonly stop: () => void
}

function recordBuffer(
  database: Opened,
  onTrouble: OnTrouble,
  seal: RecordSealer['record'],
): RecordBuffer {
  const fresh: Waiting<AuditEntry>[] = []
  let again: readonly Waiting<StoredRecord>[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<boolean> | undefined

  const waiting = () => fresh.length + again.length

  function takeSome(): readonly Waiting<StoredRecord>[] {
    const wanted = Math.ceil(fresh.length * AT_ONCE.ofWaiting)
    const atOnce = Math.min(AT_ONCE.most, Math.max(AT_ONCE.few, wanted))
    // Hashes are computed here, not while a caller waits.
    return fresh.splice(0, atOnce).map(({ value, sinceMs }) => ({ value: seal(value), sinceMs }))
  }

  // What arrives meanwhile waits for the next turn: a commit for a few records costs as much as one
  // for many, and under load there would be hundreds in a second.
  async function writeWaiting(): Promise<void> {
    for (let left = waiting(); left > 0; ) {
      const isRetry = again.length > 0
      again = isRetry ? again : takeSome()
      left -= again.length
      const nowMs = performance.now()
      const agesMs = again.map(({ sinceMs }) => Math.round(nowMs - sinceMs))
      await database.step(isRetry ? appendMissing : APPEND[database.dialect], {
        records: again.map(({ value }) => value),
        agesMs,
      })
      again = []
    }
  }

  function takeTurn(): Promise<boolean> {
    clearTimeout(timer)
    timer = undefined
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
    timer ??= setTimeout(() => void takeTurn(), FLUSH_MS)
  }

  return {
    waiting,
    push(entry) {
      fresh.push({ value: entry, sinceMs: performance.now() })
      arm()
    },
    async flush() {
      if (waiting() === 0) return
      const isUnderWay = writing !== undefined
      // A turn that is under way leaves what arrived since it began to the next one.
      if ((await takeTurn()) && isUnderWay) await takeTurn()
    },
    stop: () => clearTimeout(timer),
  }
}
