import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqlOptions } from '../src/options.ts'
import type { SqlStores } from '../src/sql-stores.ts'
import { openPostgres, openSqlite } from '../src/sql-stores.ts'
import { countWorkers } from './count-workers.ts'
import { createDatabase, dropDatabase } from './create-database.ts'
import { GROUP_COMMIT } from './group-commit.ts'
import { openSqliteClock } from './sqlite-clock.ts'
import { openTestClock, type TestClock } from './test-clock.ts'

/** A database for one test: several nodes can be opened on it, and its clock can be moved. */
export type Place = {
  readonly open: (options?: SqlOptions) => Promise<SqlStores>
  readonly clock: () => Promise<TestClock>
  /** What another process needs to open it. */
  readonly where: { readonly store: 'sqlite' | 'postgres'; readonly at: string }
  readonly remove: () => Promise<void>
}

export function sqlitePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-sqlite-'))
  const file = join(folder, 'stores.db')
  const workers = countWorkers()
  return {
    open: async (options) =>
      workers.watched(
        await openSqlite({ file, time: 'shifted', groupCommit: GROUP_COMMIT, ...options }),
      ),
    clock: async () => openSqliteClock(file, workers.count),
    where: { store: 'sqlite', at: file },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

export async function postgresPlace(clusterUrl: string): Promise<Place> {
  const url = await createDatabase(clusterUrl)
  return {
    open: (options) =>
      openPostgres({ url, time: 'shifted', groupCommit: GROUP_COMMIT, ...options }),
    clock: () => openTestClock(url),
    where: { store: 'postgres', at: url },
    remove: () => dropDatabase(url),
  }
}
