import pg from 'pg'
import { openPostgres } from '../src/sql-stores.ts'
import { createDatabase, dropDatabase } from './create-database.ts'
import { GROUP_COMMIT } from './group-commit.ts'
import { suitePack } from './suite-pack.ts'
import { TELL } from './test-clock.ts'
import { LASTING_TABLES, SECRET_KEYS, type WorldPlace } from './world-place.ts'

const TABLES = 'select tablename as name from pg_tables where schemaname = current_schema()'
const JOBS = `select data->>'tenant' as tenant, data->>'callId' as call_id, extract(epoch from start_after) * 1000 as due_at,
  state = 'active' as taken from pgboss.job where name = 'surehand' and state in ('created', 'retry', 'active')`

export async function openPostgresWorldPlace(
  clusterUrl: string,
  schema: readonly string[],
): Promise<WorldPlace> {
  const url = await createDatabase(clusterUrl)
  const stores = await openPostgres({
    url,
    packs: [suitePack(schema)],
    time: 'shifted',
    groupCommit: GROUP_COMMIT,
    secretKeys: SECRET_KEYS,
  })
  // Nothing of this needs to survive a power failure.
  const client = new pg.Client({ connectionString: url, options: '-c synchronous_commit=off' })
  client.on('error', () => undefined)
  await client.connect()
  const tables: readonly { readonly name: string }[] = (await client.query(TABLES)).rows
  const cleaning = tables
    .filter(({ name }) => !LASTING_TABLES.has(name))
    .map(({ name }) => `delete from ${name};`)

  return {
    stores,
    async stopClock(atMs) {
      await client.query({
        name: 'stop',
        text: 'update test_clock set stopped_at = $1',
        values: [atMs],
      })
    },
    async jobs() {
      const { rows } = await client.query({ name: 'jobs', text: JOBS })
      return rows.map(({ tenant, call_id, due_at, taken }) => ({
        tenant: String(tenant),
        callId: String(call_id),
        dueAt: Number(due_at),
        isTaken: taken === true,
      }))
    },
    wakeWorkers: () => client.query(TELL),
    async clean() {
      await client.query(`${cleaning.join(' ')} delete from pgboss.job`)
    },
    async close() {
      await client.end()
      await stores.close()
      await dropDatabase(url)
    },
  }
}
