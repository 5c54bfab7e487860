import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import {
  type CrashPlace,
  expectNothingLeft,
  expectWhole,
  MOMENTS,
} from '../../testing/delegation-crash.ts'
import { openSqlite } from '../sql-stores.ts'
import { aFile } from '../sqlite/fixtures/open-fixture.ts'

// A hundred rows joined with themselves eight times are not counted in a lifetime.
const ENDLESS = `select count(*) from endless a, endless b, endless c, endless d, endless e, endless f, endless g, endless h`

async function openPlace(): Promise<CrashPlace> {
  const file = await aFile()
  return {
    kind: 'sqlite',
    address: file,
    open: () => openSqlite({ file }),
    async hangAt({ when, table }) {
      const connection = new DatabaseSync(file, { timeout: 5_000 })
      connection.exec('create table endless (n integer)')
      for (let count = 0; count < 100; count++) connection.exec('insert into endless values (1)')
      connection.exec(`create trigger hanging ${when} on ${table} begin ${ENDLESS}; end`)
      connection.exec('pragma busy_timeout = 0')
      return {
        // Only the process that hangs holds the lock for writing that long.
        isReached: async () => {
          try {
            connection.exec('begin immediate; rollback')
            return false
          } catch (thrown) {
            expect(String(thrown)).toContain('database is locked')
            return true
          }
        },
        async free() {
          connection.exec('pragma busy_timeout = 5000')
          connection.exec('drop trigger hanging; drop table endless')
          connection.close()
        },
      }
    },
  }
}

test.each(Object.entries(MOMENTS))(
  'a delegation whose process is killed %s is not there, and can be made again',
  async (_, moment) => expectNothingLeft(await openPlace(), moment),
)

test('a delegation that was acknowledged is whole after its process was killed', async () => {
  await expectWhole(await openPlace())
})
