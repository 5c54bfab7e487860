import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '../src/sql-stores.ts'
import { GROUP_COMMIT } from './group-commit.ts'
import { suitePack } from './suite-pack.ts'
import { LASTING_TABLES, SECRET_KEYS, type WorldPlace } from './world-place.ts'

// A job that is never due: enqueueing it wakes the workers of this process.
const KNOCK = { tenant: 'nobody', callId: 'knock' }
const NEVER_MS = 1e12

const TABLES = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
const JOBS =
  'select tenant, call_id, run_at, lease_until is not null as taken from jobs where tenant <> ?'

export async function openSqliteWorldPlace(schema: readonly string[]): Promise<WorldPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-sqlite-'))
  const file = join(folder, 'stores.db')
  const stores = await openSqlite({
    file,
    packs: [suitePack(schema)],
    time: 'shifted',
    groupCommit: GROUP_COMMIT,
    secretKeys: SECRET_KEYS,
  })
  const database = new DatabaseSync(file, { timeout: 10_000 })
  // Nothing of this needs to survive a power failure.
  database.exec('PRAGMA synchronous = OFF')
  const [stop, jobs] = [
    database.prepare('update test_clock set stopped_at = ?'),
    database.prepare(JOBS),
  ]
  const cleaning = cleaningText(database)

  return {
    stores,
    stopClock: (atMs) => void stop.run(atMs),
    jobs: () =>
      jobs.all(KNOCK.tenant).map(({ tenant, call_id, run_at, taken }) => ({
        tenant: String(tenant),
        callId: String(call_id),
        dueAt: Number(run_at),
        isTaken: taken === 1,
      })),
    wakeWorkers: async () => stores.jobs.enqueue(KNOCK, NEVER_MS),
    clean: () => database.exec(`begin immediate; ${cleaning} commit`),
    async close() {
      database.close()
      await stores.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The statements that empty every table of the stores. */
export function cleaningText(database: DatabaseSync): string {
  const tables = database.prepare(TABLES).all() as { readonly name: string }[]
  return tables
    .filter(({ name }) => !LASTING_TABLES.has(name))
    .map(({ name }) => `delete from ${name};`)
    .join(' ')
}
