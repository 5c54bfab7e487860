import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase, dropDatabase } from '../testing/create-database.ts'
import { LISTED_PAGES } from '../testing/listed-pages.ts'
import { noticeStatements } from '../testing/notice-statements.ts'
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

// Every text and number is '0', but for those that count here.
const NOTICES = `insert into calls select notice.* from
  (select jsonb_object_agg(column_name, '0') as row from information_schema.columns where table_name = 'calls' and is_nullable = 'NO') as empty,
  generate_series(1, 20000) as number,
  jsonb_populate_record(null::calls, empty.row || jsonb_build_object('call_id', number, 'tenant', 'acme', 'notify', 'hook-' || number % 4,
    'state', 'succeeded', 'updated_at', number, 'notify_done', case number % 3 when 0 then 1 end,
    'notify_at', case number % 3 when 1 then 9e15::bigint end)) as notice`

test('PostgreSQL finds due notices without reading those that are not due', async () => {
  await client.query('reset all')
  await client.query(NOTICES)
  await client.query('analyze calls')
  for (const { text, values } of Object.values(await noticeStatements())) {
    const { rows } = await client.query<Record<string, string>>(
      `explain ${translator('postgres', 'database')(text)}`,
      [...values],
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/Seq Scan|hashed/)
    for (const isDue of ['IS NULL', '<= \\(InitPlan \\d+\\).col1'])
      expect(plan).toMatch(
        new RegExp(
          `using calls_notify .*\\n +Index Cond: \\(\\(tenant = .*notify = .*notify_at ${isDue}\\)`,
        ),
      )
  }
})
