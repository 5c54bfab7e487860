import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../testing/create-database.ts'
import { findCall, getCall } from '../../calls/looks.ts'
import type { Database } from '../../database.ts'
import { breakingProxy } from '../fixtures/breaking-proxy.ts'
import { type Apply, addItem, aRun, ITEMS, itemNames } from '../fixtures/items.ts'
import { openPostgresDatabase } from '../open-postgres-database.ts'

let url: string
let database: Database

beforeEach(async () => {
  url = await createDatabase(inject('postgres'))
  database = await openPostgresDatabase({ url, packs: [ITEMS] })
})
afterEach(() => database.close())

const COUNT = 40

const someRuns = (apply?: Apply) => Array.from({ length: COUNT }, () => aRun(apply))
const idsOf = (runs: readonly ReturnType<typeof aRun>[]) =>
  runs.map(({ claim }) => claim.call.callId).toSorted()
const performAll = (runs: readonly ReturnType<typeof aRun>[], by = database) =>
  Promise.allSettled(runs.map((run) => by.transact(run)))
const kindsOf = (results: Awaited<ReturnType<typeof performAll>>) =>
  results.map((one) => (one.status === 'fulfilled' ? one.value.kind : one.reason.code))

/** In how many transactions the items were written. */
async function countTransactions(): Promise<number> {
  const text = 'select count(distinct cast(xmin as text)) as transactions from items'
  return Number((await database.query(text, []))[0]?.transactions)
}

async function countRecords(): Promise<number> {
  const text =
    "select count(distinct call_id) as records from audit_records where outcome = 'done' and output_hash <> ''"
  return Number((await database.query(text, []))[0]?.records)
}

test('calls that arrive together are written in a few transactions', async () => {
  // On a busy machine a group may take too long, and is performed call by call.
  await expect
    .poll(async () => {
      const before = await countTransactions()
      expect(kindsOf(await performAll(someRuns()))).toEqual(Array(COUNT).fill('done'))
      return (await countTransactions()) - before
    })
    .toBeLessThanOrEqual(8)
})

test('each has its effect, its row and its record', async () => {
  const runs = someRuns()
  expect(kindsOf(await performAll(runs))).toEqual(Array(COUNT).fill('done'))
  expect(await itemNames(database)).toEqual(idsOf(runs))
  expect(await countRecords()).toBe(COUNT)
  for (const { claim } of runs) {
    const { tenant, callId } = claim.call
    const row = await database.step(getCall, { tenant, callId })
    const answer = { kind: 'output', json: JSON.stringify({ added: callId }), warnings: [] }
    expect(row).toMatchObject({ ...claim.call, input: '', state: 'succeeded', fence: 1, answer })
    expect(row?.leaseUntil).toBeUndefined()
  }
})

test('a call that is alone has a transaction of its own, as before', async () => {
  for (const run of someRuns().slice(0, 3)) await database.transact(run)
  expect(await countTransactions()).toBe(3)
})

test('a function that refuses takes nothing from the calls beside it', async () => {
  const refused = aRun(async (tx, args) => {
    await addItem(tx, args)
    throw new Error('out of stock')
  })
  const runs = someRuns()
  const results = await performAll([...runs.slice(0, 5), refused, ...runs.slice(5)])
  expect(results[5]).toMatchObject({ status: 'rejected', reason: { message: 'out of stock' } })
  expect(await itemNames(database)).toEqual(idsOf(runs))
  expect(await countRecords()).toBe(COUNT)
})

test('a function that goes on after a failed statement is reported by itself', async () => {
  const careless = aRun(async (tx, args) => {
    await tx.run('insert into nowhere values (1)').catch(() => undefined)
    return args
  })
  const runs = someRuns()
  const results = await performAll([careless, ...runs])
  expect(results[0]).toMatchObject({ reason: { code: 'TOOL_STORAGE_ERROR', effect: 'none' } })
  expect(await itemNames(database)).toEqual(idsOf(runs))
})

test('a function that never returns is timed out, and the calls beside it are not', async () => {
  const forever = aRun(
    (tx, args) => addItem(tx, args).then(() => new Promise<never>(() => undefined)),
    { timeoutMs: 1_500 },
  )
  const runs = someRuns()
  const results = await performAll([runs[0] ?? forever, forever, ...runs.slice(1)])
  expect(results[1]).toMatchObject({
    reason: { code: 'TOOL_EXECUTION_TIMEOUT', effect: 'none' },
  })
  expect(kindsOf(results.toSpliced(1, 1))).toEqual(Array(COUNT).fill('done'))
  expect(await itemNames(database)).toEqual(idsOf(runs))
})

test('groups of two nodes that wait for each other are done by themselves', async () => {
  const other = await openPostgresDatabase({ url, packs: [ITEMS] })
  const names = ['a', 'b', 'c']
  for (const name of names) await database.transact({ ...aRun(), args: { name } })
  const count: Apply = async (tx, { name }) => {
    await tx.run('update items set size = size + 1 where name = ?', name)
    return null
  }
  const counting = (order: readonly string[]) =>
    someRuns(count).map((run, index) => ({ ...run, args: { name: order[index % 3] } }))
  const results = await Promise.all([
    performAll(counting(names)),
    performAll(counting(names.toReversed()), other),
  ])
  expect(kindsOf(results.flat())).toEqual(Array(2 * COUNT).fill('done'))
  const [row] = await database.query('select sum(size) as total from items', [])
  expect(Number(row?.total)).toBe(2 * COUNT)
  await other.close()
})

test('what a function still sends when it has ended is not part of the next call', async () => {
  const slow: Apply = (tx, args) => pause(3).then(() => addItem(tx, args))
  const sendLate = async () => {
    const late: Promise<unknown>[] = []
    const leaving = aRun(async (tx, { name }) => {
      const sent = pause(1).then(() => tx.run('insert into items (name) values (?)', name))
      late.push(sent.catch(({ code }) => code))
      return null
    })
    await performAll([leaving, ...someRuns(slow)])
    return new Set(await Promise.all(late))
  }
  // By itself, its transaction may still be open then.
  await expect.poll(sendLate).toEqual(new Set(['TOOL_CANCELLED']))
})

test('of calls with one key one is done, and a key that was used is found', async () => {
  const [first = aRun(), ...others] = someRuns()
  expect((await database.transact(first)).kind).toBe('done')
  const [twice = aRun()] = others
  const again = [first, twice].map(({ claim }) => {
    const run = aRun()
    return { ...run, claim: { ...claim, call: { ...run.claim.call, key: claim.call.key } } }
  })
  const results = kindsOf(await performAll([...others, ...again]))
  expect(results.slice(1, others.length)).toEqual(Array(others.length - 1).fill('done'))
  const ofOneKey = [results[0], results.at(-1)]
  expect(ofOneKey.filter((kind) => kind === 'done')).toHaveLength(1)
  // The other finds its row, or that it is under way.
  expect(['held', 'TOOL_ALREADY_RUNNING']).toContain(ofOneKey.find((kind) => kind !== 'done'))
  expect(results.at(-2)).toBe('held')
  expect(await itemNames(database)).toHaveLength(COUNT)
})

test('calls that were checked against an old administration are not done', async () => {
  const outdated = aRun()
  const run = { ...outdated, claim: { ...outdated.claim, adminVersion: 7 } }
  const runs = someRuns().map((one) => ({ ...one, claim: { ...one.claim, adminVersion: 0 } }))
  const results = kindsOf(await performAll([...runs, run]))
  expect(results).toEqual([...Array(COUNT).fill('done'), 'outdated'])
  expect(await itemNames(database)).toEqual(idsOf(runs))
})

test('characters that PostgreSQL does not store come back as they were, or as well-formed text', async () => {
  const key = 'nul \0, mark \ue000, quote ", half \ud83d, é'
  const odd = aRun()
  const run = { ...odd, claim: { ...odd.claim, call: { ...odd.claim.call, key } } }
  await performAll([...someRuns(), run, ...someRuns()])
  const row = await database.step(getCall, { tenant: 'acme', callId: odd.claim.call.callId })
  expect(row?.key).toBe(key.toWellFormed())
  expect(await database.step(findCall, run.claim.call)).toMatchObject({ callId: row?.callId })
})

test.each(['before', 'after'] as const)(
  'where the answer to a commit is lost %s it, every call is told what has become of it',
  async (moment) => {
    const proxy = await breakingProxy(url)
    const shaky = await openPostgresDatabase({ url: proxy.url, packs: [ITEMS] })
    await performAll(
      someRuns(async () => null),
      shaky,
    )
    const runs = someRuns()
    proxy.breakCommit(moment)
    const results = await performAll(runs, shaky)
    const reported = runs.filter((_, index) => results[index]?.status === 'fulfilled')
    expect(await itemNames(database)).toEqual(idsOf(reported))
    for (const one of results)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ code: 'TOOL_STORAGE_ERROR', effect: 'none' })
    expect(reported.length).toBeLessThan(moment === 'before' ? COUNT : COUNT + 1)
    await shaky.close()
    await proxy.close()
  },
)

test('keys that are looked up together are each answered with their own row', async () => {
  const runs = someRuns()
  await performAll(runs)
  const scopes = [...runs, aRun()].map(({ claim: { call } }) => call)
  const rows = await Promise.all(scopes.map((scope) => database.step(findCall, scope)))
  expect(rows.map((row) => row?.callId)).toEqual([
    ...runs.map(({ claim }) => claim.call.callId),
    undefined,
  ])
})
