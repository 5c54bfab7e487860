import type { AuditEntry, AuditStore } from '@surehand/core/ports'
import { ToolError } from '@surehand/core/worker-entry'
import type { Database } from '../database.ts'
import type { SqlOptions } from '../options.ts'
import { appendPlaced } from './append-placed.ts'
import { appendMissing, appendRecord, appendRecords } from './append-records.ts'
import { readFigures } from './figures.ts'
import { recordBuffer } from './record-buffer.ts'
import { recordSealer } from './record-seal.ts'

export type SqlAudit = AuditStore & {
  /** Writes the buffered records now; records that cannot be written stay in the buffer. */
  readonly flush: () => Promise<void>
  /** Writes the buffered records; throws if some cannot be written. */
  readonly close: () => Promise<void>
}

// A database that is unavailable for a moment costs no record; one that stays unavailable must not
// exhaust the memory.
const MOST_WAITING = 20_000

type Opened = Pick<Database, 'step' | 'dialect'>
type OnTrouble = (error: unknown) => void

/**
 * Audit records in the database. Records of reads are buffered and written in batches. `onTrouble`
 * receives the errors of batches that could not be written.
 */
export function sqlAudit(
  database: Opened,
  onTrouble: OnTrouble,
  {
    sealKey,
    groupCommit = 'on',
  }: {
    readonly sealKey?: Uint8Array | undefined
    readonly groupCommit?: SqlOptions['groupCommit'] | undefined
  } = {},
): SqlAudit {
  const storedAs = groupCommit === 'on' ? 'segments' : 'rows'
  const { record } = recordSealer(sealKey)
  const append = database.dialect === 'sqlite' ? appendPlaced : appendRecords
  const { waiting, push, flush, stop } = recordBuffer({
    write: (packed, attempt) =>
      database.step(attempt === 'first' ? append : appendMissing, {
        packed,
        sealKey,
        storedAs,
      }),
    onTrouble,
  })

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
      if (durability === 'before-answer') return database.step(appendRecord, record(entry))
      if (waiting() >= MOST_WAITING) return pushWhenThereIsRoom(entry)
      push(entry)
    },
    async list(filter) {
      // A reader sees every record of the answers this node has given.
      await flush()
      // A command that calls a tool does not load it.
      const { listInWindows } = await import('./list-records.ts')
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
