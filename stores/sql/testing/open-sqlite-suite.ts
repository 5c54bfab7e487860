import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { OpenStores } from '@surehand/conformance'
import { openSqlite, type SqlStores } from '../src/sql-stores.ts'
import { countWorkers } from './count-workers.ts'
import { GROUP_COMMIT } from './group-commit.ts'
import { openSqliteClock } from './sqlite-clock.ts'
import { cleaningText } from './sqlite-world-place.ts'
import { suitePack } from './suite-pack.ts'

/** The stores of one test file: every promise finds them empty, with the clock set back. */
export type SqliteSuite = {
  readonly open: OpenStores
  readonly close: () => Promise<void>
}

type Place = {
  readonly stores: SqlStores
  readonly file: string
  readonly clean: () => void
  readonly close: () => Promise<void>
}

/**
 * Opens the stores once for all promises of a test file: a writer's thread takes five times as long
 * to start as a promise takes.
 */
export function sqliteSuite(writer: 'thread' | 'calling-thread'): SqliteSuite {
  let place: Place | undefined
  return {
    async open({ schema }) {
      place ??= await openPlace(schema, writer)
      const { stores, file, clean } = place
      clean()
      const workers = countWorkers()
      const clock = openSqliteClock(file, workers.count)
      return {
        stores: workers.watched(stores),
        now: clock.now,
        advance: clock.advance,
        async close() {
          await workers.stopAll()
          // A buffered record would otherwise be written into the next promise's stores.
          await stores.audit.flush()
          await clock.close()
        },
      }
    },
    close: async () => place?.close(),
  }
}

async function openPlace(
  schema: readonly string[],
  writer: 'thread' | 'calling-thread',
): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-sqlite-'))
  const file = join(folder, 'stores.db')
  const stores = await openSqlite({
    file,
    packs: [suitePack(schema)],
    time: 'shifted',
    writer,
    groupCommit: GROUP_COMMIT,
  })
  const database = new DatabaseSync(file, { timeout: 10_000 })
  const cleaning = cleaningText(database)
  return {
    stores,
    file,
    clean: () =>
      database.exec(
        `begin immediate; ${cleaning} update test_clock set offset_ms = 0, stopped_at = null; commit`,
      ),
    async close() {
      database.close()
      await stores.close()
      rmSync(folder, { recursive: true })
    },
  }
}
