import { storeSuites } from '@surehand/conformance'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { countWorkers } from '../testing/count-workers.ts'
import { createDatabase } from '../testing/create-database.ts'
import { suitePack } from '../testing/suite-pack.ts'
import { openTestClock } from '../testing/test-clock.ts'
import { LASTING_TABLES } from '../testing/world-place.ts'
import { openPostgres } from './sql-stores.ts'

// One database for all promises, emptied before each: opening the stores takes longer than most of
// the promises.
let place: ReturnType<typeof openPlace> | undefined
afterAll(async () => (await place)?.stores.close())

storeSuites('on PostgreSQL', async ({ schema }) => {
  const isNew = place === undefined
  place ??= openPlace(schema)
  const { url, stores } = await place
  if (!isNew) await emptyDatabase(url)
  const workers = countWorkers()
  const clock = await openTestClock(url)
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
})

async function openPlace(schema: readonly string[]) {
  const url = await createDatabase(inject('postgres'))
  return { url, stores: await openPostgres({ url, packs: [suitePack(schema)], time: 'shifted' }) }
}

async function emptyDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c synchronous_commit=off' })
  await client.connect()
  try {
    const { rows } = await client.query(
      'select tablename as name from pg_tables where schemaname = current_schema()',
    )
    const deletes = rows
      .filter(({ name }) => !LASTING_TABLES.has(String(name)))
      .map(({ name }) => `delete from ${name};`)
    await client.query(
      `${deletes.join(' ')} delete from pgboss.job; update test_clock set offset_ms = 0, stopped_at = null`,
    )
  } finally {
    await client.end()
  }
}
