import type pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createDatabase } from '../../testing/create-database.ts'
import { openBatch } from './batch.ts'
import { openPools, type Pools } from './pools.ts'
import { statements } from './statements.ts'

let pools: Pools
let client: pg.PoolClient

beforeEach(async () => {
  pools = openPools(await createDatabase(inject('postgres')), 1)
  client = await pools.packs.connect()
  await client.query('create table things (name text primary key)')
})
afterEach(async () => {
  client.release(true)
  await pools.close()
})

const statement = statements('database')
const insert = (name: string) => statement('insert into things (name) values (?)', [name])
const sendAll = (all: readonly pg.QueryConfig[], isWanted = true) => {
  const batch = openBatch(client, () => isWanted)
  return Promise.allSettled(all.map((one) => batch.add(one)))
}
const codesOf = (results: Awaited<ReturnType<typeof sendAll>>) =>
  results.map((one) => (one.status === 'fulfilled' ? 'done' : one.reason.code))
const names = async () =>
  (await client.query('select name from things order by name')).rows.map(({ name }) => name)

test('its statements are executed in their order, and each has its own result', async () => {
  const results = await sendAll([
    insert('a'),
    statement('select name, true as yes, cast(2 as bigint) as two from things', []),
    statement('', []),
    statement('update things set name = ?', ['b \ue000']),
    statement('select name from things where name = ?', ['b']),
  ])
  expect(results.map((one) => one.status === 'fulfilled' && one.value)).toMatchObject([
    { rows: [], rowCount: 1 },
    { rows: [{ name: 'a', yes: 1, two: 2 }], rowCount: 1 },
    { rows: [], rowCount: null },
    { rows: [], rowCount: 1 },
    { rows: [], rowCount: 0 },
  ])
})

test('what follows a statement that fails is not executed, and can be sent again', async () => {
  const begin = statement('begin', [])
  const isolation = statement('set transaction isolation level nonsense', [])
  const late = statement('select 3 as three', [])
  expect(codesOf(await sendAll([isolation, begin, insert('a'), late]))).toEqual([
    ...['TOOL_STORAGE_ERROR', 'TOOL_CANCELLED', 'TOOL_CANCELLED', 'TOOL_CANCELLED'],
  ])
  expect([await names(), client.getTransactionStatus()]).toEqual([[], 'I'])
  const doubled = [begin, insert('a'), insert('a'), late]
  expect(codesOf(await sendAll(doubled))).toEqual([
    ...['done', 'done', 'TOOL_STORAGE_ERROR', 'TOOL_CANCELLED'],
  ])
  await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' })
  await client.query('rollback')
  expect(codesOf(await sendAll([begin, insert('a'), insert('b'), late]))).toEqual(
    Array(4).fill('done'),
  )
  await client.query('commit')
  expect(await names()).toEqual(['a', 'b'])
})

test('it is not sent when it is no longer wanted', async () => {
  const results = await sendAll([statement('begin', []), insert('a')], false)
  expect(codesOf(results)).toEqual(['TOOL_CANCELLED', 'TOOL_CANCELLED'])
  expect([await names(), client.getTransactionStatus()]).toEqual([[], 'I'])
})

test('a lost session rejects what was not answered', async () => {
  const ending = statement('select pg_terminate_backend(pg_backend_pid())', [])
  const results = await sendAll([statement('begin', []), ending, insert('a')])
  expect(codesOf(results)).toEqual(['done', 'TOOL_STORAGE_ERROR', 'TOOL_CANCELLED'])
})

test('it takes statements of its turn only, and no value that the driver may fail to write', async () => {
  const batch = openBatch(client, () => true)
  // erased: a pack in JavaScript can pass it
  const odd = { text: 'select $1', values: [{}] }
  expect([batch.takes(insert('a')), batch.takes(odd)]).toEqual([true, false])
  await batch.add(insert('a'))
  expect(batch.takes(insert('b'))).toBe(false)
})
