import type { AuditEntry, AuditStore } from '@surehand/core/ports'
import { ToolError } from '@surehand/core/worker-entry'
import type { Database } from '../database.ts'
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

/** The time since which it waits, by this process's monotonic clock. */
type Waiting<T> = { readonly value: T; readonly sinceMs: number }

/**
 * Audit records in the database. Records of reads are buffered and written in batches. `onTrouble`
 * receives the errors of batches that could not be written.
 */
export function sqlAudit(
  database: Pick<Database, 'step' | 'dialect'>,
  onTrouble: (error: unknown) => void,
  seal: RecordSealer['record'] = toRecord,
): SqlAudit {
  const fresh: Waiting<AuditEntry>[] = []
  let again: readonly Waiting<StoredRecord>[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const waiting = () => fresh.length + again.length
  const atOnce = () =>
    Math.min(AT_ONCE.most, Math.max(AT_ONCE.few, Math.ceil(fresh.length * AT_ONCE.ofWaiting)))

  function arm(): void {
    timer ??= setTimeout(() => void flush(), FLUSH_MS)
  }

  async function writeAll(): Promise<void> {
    while (waiting() > 0) {
      const isRetry = again.length > 0
      // Hashes are computed here, not while a caller waits.
      again = isRetry
        ? again
        : fresh.splice(0, atOnce()).map(({ value, sinceMs }) => ({ value: seal(value), sinceMs }))
      const nowMs = performance.now()
      const agesMs = again.map(({ sinceMs }) => Math.round(nowMs - sinceMs))
      await database.step(isRetry ? appendMissing : appendRecords, {
        records: again.map(({ value }) => value),
        agesMs,
      })
      again = []
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeAll()
      .catch(onTrouble)
      .finally(() => {
        writing = undefined
        if (waiting() > 0) arm()
      })
    return writing
  }

  async function appendWhenThereIsRoom(entry: AuditEntry): Promise<void> {
    await flush()
    if (waiting() >= MOST_WAITING)
      throw new ToolError(
        'TOOL_STORAGE_ERROR',
        `${MOST_WAITING} audit records wait for a database that takes none.`,
      )
    fresh.push({ value: entry, sinceMs: performance.now() })
    arm()
  }

  return {
    append(entry, durability) {
      if (durability === 'before-answer') return database.step(appendRecord, seal(entry))
      if (waiting() >= MOST_WAITING) return appendWhenThereIsRoom(entry)
      fresh.push({ value: entry, sinceMs: performance.now() })
      arm()
    },
    async list(filter) {
      // A reader sees every record of the answers this node has given.
      if (waiting() > 0) await flush()
      return listInWindows(database, filter)
    },
    async figures(filter) {
      if (waiting() > 0) await flush()
      return database.step(readFigures, filter)
    },
    flush,
    async close() {
      if (waiting() > 0) await flush()
      clearTimeout(timer)
      if (waiting() > 0)
        throw new ToolError(
          'TOOL_STORAGE_ERROR',
          `${waiting()} audit records could not be written.`,
        )
    },
  }
}
