import pg from 'pg'
import { afterAll, beforeAll, inject, test } from 'vitest'
import { createEmptyDatabase } from '../../testing/create-database.ts'
import { expectRowsRead, fillTables, SCHEMAS } from '../../testing/old-schemas.ts'
import { CREATE_MIGRATIONS, INSERT_MIGRATION, knownMigrations } from '../migrate.ts'
import { translator } from '../portable.ts'
import { migratePostgres } from './open-postgres-database.ts'
import { columnType } from './pools.ts'
import { send } from './session.ts'
import { sqlOn } from './sql-on.ts'
import { statements } from './statements.ts'

let url: string
let client: pg.Client
beforeAll(async () => {
  url = await createEmptyDatabase(inject('postgres'))
  client = new pg.Client({ connectionString: url, types: { getTypeParser: columnType } })
  await client.connect()
})
afterAll(() => client.end())

const translate = translator('postgres', 'database')
const COLUMNS =
  'select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1'

test.each(SCHEMAS)(
  'tables with data, last migrated by %s, are brought up to date',
  async (_name, count) => {
    await client.query(`create schema old_${count}; set search_path to old_${count}`)
    await client.query(CREATE_MIGRATIONS)
    for (const migration of knownMigrations([], 'postgres').slice(0, count)) {
      for (const text of migration.statements) await client.query(translate(text))
      await client.query(translate(INSERT_MIGRATION), [migration.owner, migration.name])
    }
    const sql = sqlOn((statement) => send(client, { ...statement, name: undefined as never }), {
      statement: statements('database'),
      wakeUp: () => ({ text: 'select 1', values: [] }),
    })
    const counts = await fillTables({
      sql,
      columnsOf: async (table) =>
        (await client.query(COLUMNS, [table])).rows.map(({ name }) => String(name)),
    })
    await migratePostgres(client, { url })
    await expectRowsRead(sql, counts)
  },
)
