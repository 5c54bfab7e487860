import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { createDatabase, dropDatabase } from '../testing/create-database.ts'
import { pruneAll } from './maintain.ts'
import type { SqlStores } from './sql-stores.ts'
import { openPostgres } from './sql-stores.ts'

test('a limit that is counted in while it is pruned is not pruned', async () => {
  const url = await createDatabase(inject('postgres'))
  const stores = await openPostgres({ url })
  const taker = new pg.Client({ connectionString: url })
  await taker.connect()
  await taker.query("insert into limits (key_hash, state, expires_at) values ('a', '1:1', 1)")
  // somebody counts in the old row, and has not committed when the pruning comes to it
  await taker.query('begin')
  await taker.query(
    "update limits set state = '2:1', expires_at = 99999999999999 where key_hash = 'a'",
  )
  const pruning = pruneAll(stores.database)
  await waitsForLock(stores)
  await taker.query('commit')
  await pruning
  expect(await stores.calls.query('select state from limits')).toEqual([{ state: '2:1' }])
  await taker.end()
  await stores.close()
  await dropDatabase(url)
})

async function waitsForLock(stores: SqlStores): Promise<void> {
  const waiting =
    "select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  while ((await stores.calls.query(waiting))[0]?.n === 0)
    await new Promise((resolve) => setTimeout(resolve, 10))
}
