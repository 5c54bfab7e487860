import { storeSuites } from '@surehand/conformance'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase } from '../testing/create-database.ts'
import { suitePack } from '../testing/suite-pack.ts'
import { openTestClock } from '../testing/test-clock.ts'
import { LASTING_TABLES } from '../testing/world-place.ts'
import { openPostgres } from './sql-stores.ts'

// One database for all promises with the same tables, emptied before each: creating and dropping a
// database takes longer than most of the promises.
const databases = new Map<string, Promise<string>>()

storeSuites('on PostgreSQL', async ({ schema }) => {
  const name = JSON.stringify(schema)
  const isNew = !databases.has(name)
  const creating = databases.get(name) ?? createDatabase(inject('postgres'))
  databases.set(name, creating)
  const url = await creating
  if (!isNew) await emptyDatabase(url)
  const stores = await openPostgres({ url, packs: [suitePack(schema)], time: 'shifted' })
  const clock = await openTestClock(url)
  return {
    stores,
    now: clock.now,
    advance: clock.advance,
    async close() {
      await clock.close()
      await stores.close()
    },
  }
})

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
