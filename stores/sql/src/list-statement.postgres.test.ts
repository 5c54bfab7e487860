import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase, dropDatabase } from '../testing/create-database.ts'
import { LISTED_PAGES } from '../testing/listed-pages.ts'
import { translator } from './portable.ts'
import { openPostgres } from './sql-stores.ts'

let url: string
let client: pg.Client
beforeAll(async () => {
  url = await createDatabase(inject('postgres'))
  await (await openPostgres({ url })).close()
  client = new pg.Client({ connectionString: url })
  await client.connect()
  // The tables are empty: without this, reading and sorting all of nothing is cheapest.
  await client.query('set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off')
})
afterAll(async () => {
  await client.end()
  await dropDatabase(url)
})

test.each(Object.entries(LISTED_PAGES))(
  'PostgreSQL reads a page of %s in the order of an index',
  async (_, { statement: { text, values }, index }) => {
    const { rows } = await client.query<Record<string, string>>(
      `explain ${translator('postgres', 'database')(text)}`,
      [...values],
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(new RegExp(`Index Scan (?:Backward )?using ${index} `))
    expect(plan).not.toMatch(/Sort|Seq Scan/)
  },
)
