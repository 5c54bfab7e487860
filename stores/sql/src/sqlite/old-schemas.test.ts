import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { expectRowsRead, fillTables, SCHEMAS } from '../../testing/old-schemas.ts'
import { CREATE_MIGRATIONS, INSERT_MIGRATION, knownMigrations } from '../migrate.ts'
import { translator } from '../portable.ts'
import { openConnection } from './connection.ts'
import { createSql } from './create-sql.ts'
import { migrateFile } from './database.ts'
import { aFile } from './fixtures/open-fixture.ts'

const translate = translator('sqlite', 'database')

test.each(SCHEMAS)(
  'a file with data, last migrated by %s, is brought up to date',
  async (_name, count) => {
    const file = await aFile()
    mkdirSync(dirname(file), { recursive: true })
    const old = openConnection(file, 'database', 'write')
    old.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    old.database.exec(CREATE_MIGRATIONS)
    for (const { owner, name, statements } of knownMigrations([], 'sqlite').slice(0, count)) {
      for (const statement of statements) old.database.exec(translate(statement))
      old.prepare(INSERT_MIGRATION).run(owner, name)
    }
    const counts = await fillTables({
      sql: createSql(old, () => undefined),
      columnsOf: async (table) =>
        old.database
          .prepare(`pragma table_info(${table})`)
          .all()
          .map(({ name }) => String(name)),
    })
    old.close()
    const opened = await migrateFile({ file })
    await expectRowsRead(
      createSql(opened, () => undefined),
      counts,
    )
    expect(opened.database.prepare('pragma integrity_check').get()).toEqual({
      integrity_check: 'ok',
    })
    opened.close()
  },
)
