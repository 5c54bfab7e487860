import type { AuditEntry, AuditStore } from '@surehand/core/ports'
import { ToolError } from '@surehand/core/worker-entry'
import type { Database } from '../database.ts'
import { appendPlaced, packRecords } from './append-placed.ts'
import { appendMissing, appendRecord, appendRecords } from './append-records.ts'
import { readFigures } from './figures.ts'
import { listInWindows } from './list-records.ts'
import { agedValues, type RecordValues } from './record-row.ts'
import { type RecordSealer, recordSealer } from './record-seal.ts'

export type SqlAudit = AuditStore & {
  /** Writes the buffered records now; records that cannot be written stay in the buffer. */
  readonly flush: () => Promise<void>
  /** Writes the buffered records; throws if some cannot be written. */
  readonly close: () => Promise<void>
}

// Half of the promised delay, so that the other half is left for the write itself.
const FLUSH_MS = 50
// So many are written sooner: where the writer's thread has no core of its own, callers wait while it
// works.
const WRITTEN_SOON = 128
// Callers wait while records are hashed.
const SEALED_AT_ONCE = 64
// Callers wait while a batch is sent, too; and a commit for a few records costs as much as one for
// many.
const WRITTEN_AT_ONCE = 1_000
// A database that is unavailable for a moment costs no record; one that stays unavailable must not
// exhaust the memory.
const MOST_WAITING = 20_000

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
  sealer: Pick<RecordSealer, 'record' | 'values'> = recordSealer(undefined),
): SqlAudit {
  const { waiting, push, flush, stop } = recordBuffer(database, onTrouble, sealer.values)

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
      if (durability === 'before-answer') return database.step(appendRecord, sealer.record(entry))
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

function appendRows({ step, dialect }: Opened, rows: readonly RecordValues[]): Promise<void> {
  return dialect === 'sqlite' ? step(appendPlaced, packRecords(rows)) : step(appendRecords, rows)
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
  seal: RecordSealer['values'],
): RecordBuffer {
  const fresh: Waiting<AuditEntry>[] = []
  let sealed: Waiting<RecordValues>[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<boolean> | undefined

  const waiting = () => fresh.length + sealed.length

  // Hashes are computed here, not while a caller waits, and callers are served in between.
  async function sealSome(most: number): Promise<void> {
    while (sealed.length < most && fresh.length > 0) {
      if (sealed.length > 0) await new Promise(setImmediate)
      const part = fresh.splice(0, Math.min(SEALED_AT_ONCE, most - sealed.length))
      for (const { value, sinceMs } of part) sealed.push({ value: seal(value), sinceMs })
    }
  }

  // What arrives meanwhile waits for the next turn: under load there would be hundreds of commits
  // in a second.
  async function writeWaiting(): Promise<void> {
    for (let left = waiting(); left > 0; ) {
      const isRetry = sealed.length > 0
      if (!isRetry) await sealSome(Math.min(left, WRITTEN_AT_ONCE))
      left -= sealed.length
      const nowMs = performance.now()
      const rows = sealed.map(({ value, sinceMs }) =>
        agedValues(value, Math.round(nowMs - sinceMs)),
      )
      await (isRetry ? database.step(appendMissing, rows) : appendRows(database, rows))
      sealed = []
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
    timer ??= setTimeout(() => void takeTurn(), fresh.length < WRITTEN_SOON ? FLUSH_MS : 0)
  }

  function disarm(): void {
    clearTimeout(timer)
    timer = undefined
  }

  return {
    waiting,
    push(entry) {
      fresh.push({ value: entry, sinceMs: performance.now() })
      if (fresh.length === WRITTEN_SOON) disarm()
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
