import pg from 'pg'
import { inject, test } from 'vitest'
import { createDatabase } from '../../testing/create-database.ts'
import {
  type CrashPlace,
  expectNothingLeft,
  expectWhole,
  MOMENTS,
} from '../../testing/delegation-crash.ts'
import { openPostgres } from '../sql-stores.ts'

const LOCK = 4_711

async function openPlace(): Promise<CrashPlace> {
  const url = await createDatabase(inject('postgres'))
  return {
    kind: 'postgres',
    address: url,
    open: () => openPostgres({ url }),
    async hangAt({ when, table }) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`select pg_advisory_lock(${LOCK})`)
      await client.query(`create function hang() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end'`)
      await client.query(
        `create trigger hanging ${when} on ${table} for each row execute function hang()`,
      )
      return {
        isReached: async () => {
          const { rows } = await client.query(
            `select 1 from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`,
          )
          return rows.length > 0
        },
        async free() {
          await client.query(`select pg_advisory_unlock(${LOCK})`)
          // It waits for the transaction of the killed process, which the server ends by itself.
          await client.query(`drop trigger hanging on ${table}`)
          await client.end()
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
