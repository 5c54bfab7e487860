import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { createEmptyDatabase } from '../../testing/create-database.ts'
import { enqueueJob } from '../jobs.ts'
import { ITEMS } from './fixtures/items.ts'
import { openPostgresDatabase } from './open-postgres-database.ts'

async function asking<T>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('of several processes that start at once on an empty database one makes the tables, and all of them start', async () => {
  const url = await createEmptyDatabase(inject('postgres'))
  const starts = Array.from({ length: 4 }, async () => {
    const child = spawn(
      process.execPath,
      ['--no-warnings', join(import.meta.dirname, 'fixtures', 'opens.ts'), url],
      { stdio: 'inherit' },
    )
    const [code] = await once(child, 'exit')
    return code
  })
  expect(await Promise.all(starts)).toEqual([0, 0, 0, 0])
  expect(
    await asking(
      url,
      "select count(*)::int as items from surehand_migrations where owner = 'items'",
    ),
  ).toEqual([{ items: 1 }])
  expect(
    await asking(url, "select count(*)::int as queues from pgboss.queue where name = 'surehand'"),
  ).toEqual([{ queues: 1 }])
})

test('a migration that fails leaves nothing of itself behind', async () => {
  const url = await createEmptyDatabase(inject('postgres'))
  const broken = {
    name: 'broken',
    data: {
      migrations: [{ name: '1', statements: ['create table half (a bigint)', 'create tabel'] }],
      transactions: '',
    },
  }
  await expect(openPostgresDatabase({ url, packs: [broken] })).rejects.toMatchObject({
    code: 'TOOL_STORAGE_ERROR',
  })
  expect(
    await asking(url, "select to_regclass('half') as half, to_regclass('calls') as calls"),
  ).toEqual([{ half: null, calls: null }])
})

test('a database that a newer version wrote is left alone', async () => {
  const url = await createEmptyDatabase(inject('postgres'))
  await (await openPostgresDatabase({ url })).close()
  await asking(
    url,
    "insert into surehand_migrations (owner, name, applied_at) values ('surehand', '9999-later', 0)",
  )
  await expect(openPostgresDatabase({ url })).rejects.toMatchObject({
    code: 'TOOL_CONFIGURATION_ERROR',
  })
})

test('two in one database, each in a schema of its own, keep their jobs apart', async () => {
  const url = await createEmptyDatabase(inject('postgres'))
  await asking(url, 'create schema one; create schema two')
  const [one, two] = await Promise.all(
    ['one', 'two'].map((schema) =>
      openPostgresDatabase({
        url: `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`,
        packs: [ITEMS],
      }),
    ),
  )
  await one?.step(enqueueJob, { job: { tenant: 'acme', callId: 'a' }, delayMs: 0 })
  const lists = [
    await asking(url, 'select data from one_pgboss.job'),
    await asking(url, 'select data from two_pgboss.job'),
  ]
  expect(lists).toEqual([[{ data: { tenant: 'acme', callId: 'a' } }], []])
  await Promise.all([one?.close(), two?.close()])
})

test('a database that is not there is told in our words', async () => {
  await expect(
    openPostgresDatabase({ url: 'postgresql://surehand@127.0.0.1:1/none' }),
  ).rejects.toMatchObject({
    code: 'TOOL_STORAGE_ERROR',
  })
})

test('an address that is no url is refused, and its password not told', async () => {
  const opened = openPostgresDatabase({ url: 'secret at somewhere' })
  await expect(opened).rejects.toMatchObject({
    code: 'TOOL_CONFIGURATION_ERROR',
    message: expect.not.stringContaining('secret'),
  })
})
