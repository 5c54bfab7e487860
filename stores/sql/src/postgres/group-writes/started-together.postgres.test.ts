import { setTimeout as pause } from 'node:timers/promises'
import type { LocalDone, LocalRun } from '@surehand/core/ports'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../testing/create-database.ts'
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
const rename = (name: string, run: LocalRun): LocalRun => ({ ...run, name })
const performAll = (runs: readonly LocalRun[], by = database) =>
  Promise.allSettled(runs.map((run) => by.transact(run)))
const resultsOf = (settled: readonly PromiseSettledResult<LocalDone>[]) =>
  settled.map((one) =>
    one.status === 'fulfilled'
      ? one.value.kind === 'done' && one.value.result
      : `${one.reason.code} ${one.reason.effect}`,
  )
const addedBy = (runs: readonly LocalRun[]) =>
  runs.map(({ claim }) => ({ added: claim.call.callId }))
const idsOf = (runs: readonly LocalRun[]) => runs.map(({ claim }) => claim.call.callId).toSorted()

/** Afterwards functions of this name are known for one statement at most. */
async function learn(by = database, name = 'items.add'): Promise<void> {
  for (let round = 0; round < 5; round++)
    await performAll(
      someRuns(async (tx) => (await tx.get('select 1 as one')) ?? null).map((run) =>
        rename(name, run),
      ),
      by,
    )
}

async function sizeOf(name: string): Promise<number> {
  const rows = await database.query('select size from items where name = ?', [name])
  return Number(rows[0]?.size)
}

test('functions of one statement are started together', async () => {
  // Each statement of a function that was started alone ends before the next function begins.
  const mostAtOnce = async () => {
    const running = new Map<unknown, number>()
    let most = 0
    const observe: Apply = async (tx) => {
      const before = new Map(running)
      const row = await tx.get('select pg_backend_pid() as session')
      // The functions of this session that have ended since this one was started.
      most = Math.max(most, (running.get(row?.session) ?? 0) - (before.get(row?.session) ?? 0))
      running.set(row?.session, (running.get(row?.session) ?? 0) + 1)
      return null
    }
    await performAll(someRuns(observe))
    return most
  }
  expect(await mostAtOnce()).toBe(0)
  await learn()
  await expect.poll(mostAtOnce).toBeGreaterThan(0)
})

test('each call is answered with what its own function has returned, beside functions of several statements', async () => {
  await learn()
  const twice: Apply = async (tx, args) => {
    await addItem(tx, args)
    await tx.run('update items set size = 2 where name = ?', args.name)
    return { added: args.name }
  }
  const runs = someRuns().map((run, index) =>
    index % 3 === 0 ? rename('items.twice', { ...aRun(twice) }) : run,
  )
  expect(resultsOf(await performAll(runs))).toEqual(addedBy(runs))
  expect(await itemNames(database)).toEqual(idsOf(runs))
})

test('a function that sends a second statement all the same is kept apart from the others', async () => {
  await database.transact({ ...aRun(), args: { name: 'counter' } })
  await learn()
  const count: Apply = async (tx) => {
    const row = await tx.get("select size from items where name = 'counter' for update")
    await tx.run("update items set size = ? where name = 'counter'", Number(row?.size) + 1)
    return 'counted'
  }
  const runs = someRuns(count)
  expect(resultsOf(await performAll(runs))).toEqual(Array(COUNT).fill('counted'))
  expect(await sizeOf('counter')).toBe(COUNT)
})

test('so is one that sends both at once, or that goes on when the second is refused', async () => {
  await learn()
  const atOnce: Apply = async (tx, { name }) => {
    await Promise.all(
      [`${name} a`, `${name} b`].map((item) => tx.run('insert into items (name) values (?)', item)),
    )
    return { added: name }
  }
  const careless: Apply = async (tx, args) => {
    await addItem(tx, args)
    await tx.run('update items set size = 7 where name = ?', args.name).catch(() => undefined)
    return { added: args.name }
  }
  const runs = someRuns()
  const [double, silent] = [aRun(atOnce), aRun(careless)]
  const all = [...runs.slice(0, 9), double, ...runs.slice(9, 20), silent, ...runs.slice(20)]
  expect(resultsOf(await performAll(all))).toEqual(addedBy(all))
  expect(await sizeOf(silent.claim.call.callId)).toBe(7)
  const id = double.claim.call.callId
  const names = [...idsOf([...runs, silent]), `${id} a`, `${id} b`].toSorted()
  // Another session sees them: none is in a transaction that is still open.
  const other = await openPostgresDatabase({ url, packs: [ITEMS] })
  expect(await itemNames(other)).toEqual(names)
  await other.close()
})

test('a function that fails, at once or by its statement, or that goes on after it, fails by itself', async () => {
  await database.transact({ ...aRun(), args: { name: 'taken' } })
  await learn()
  const fails = [
    aRun(() => {
      throw new Error('at once')
    }),
    aRun(async (tx, args) => {
      await addItem(tx, args)
      throw new Error('out of stock')
    }),
    aRun((tx) => addItem(tx, { name: 'taken' })),
    aRun(async (tx, args) => {
      await tx.run('insert into nowhere values (1)').catch(() => undefined)
      return args
    }),
    aRun((tx, args) => addItem(tx, args).then(() => 1n)),
  ]
  const expected = [
    'undefined undefined',
    'undefined undefined',
    'TOOL_STORAGE_ERROR none',
    'TOOL_STORAGE_ERROR none',
    'TOOL_INVALID_OUTPUT none',
  ]
  for (const [index, failing] of fails.entries()) {
    await learn()
    const runs = someRuns()
    const results = resultsOf(await performAll([...runs.slice(0, 5), failing, ...runs.slice(5)]))
    expect(results).toEqual(addedBy(runs).toSpliced(5, 0, expected[index] as never))
    expect(await itemNames(database)).toEqual(expect.arrayContaining(idsOf(runs)))
  }
  expect(await itemNames(database)).toHaveLength(1 + fails.length * COUNT)
})

test('a key that was used is found, and its function is not executed again', async () => {
  await learn()
  const [first = aRun()] = someRuns()
  await database.transact(first)
  const runs = someRuns()
  const again = { ...aRun(), claim: { ...first.claim } }
  const results = await performAll([...runs.slice(0, 5), again, ...runs.slice(5)])
  expect(results[5]).toMatchObject({ value: { kind: 'held' } })
  expect(resultsOf(results.toSpliced(5, 1))).toEqual(addedBy(runs))
  expect(await itemNames(database)).toEqual(idsOf([first, ...runs]))
})

test('a session that is lost between the statements takes nothing from the other calls', async () => {
  await learn()
  const ends = aRun(async (tx) => {
    await tx.get('select pg_terminate_backend(pg_backend_pid()) as ended')
    return null
  })
  const runs = someRuns()
  const results = resultsOf(await performAll([...runs.slice(0, 5), ends, ...runs.slice(5)]))
  expect(results[5]).toBe('TOOL_STORAGE_ERROR none')
  expect(results.toSpliced(5, 1)).toEqual(addedBy(runs))
  expect(await itemNames(database)).toEqual(idsOf(runs))
})

test.each(['before', 'after'] as const)(
  'where the answer to a commit is lost %s it, every call is told what has become of it',
  async (moment) => {
    const proxy = await breakingProxy(url)
    const shaky = await openPostgresDatabase({ url: proxy.url, packs: [ITEMS] })
    await learn(shaky)
    const runs = someRuns()
    proxy.breakCommit(moment)
    const results = await performAll(runs, shaky)
    const reported = runs.filter((_, index) => results[index]?.status === 'fulfilled')
    expect(await itemNames(database)).toEqual(idsOf(reported))
    expect(
      resultsOf(results).filter((one) => typeof one === 'string' && !one.endsWith('none')),
    ).toEqual([])
    await shaky.close()
    await proxy.close()
  },
)

test('a statement that waits for a lock, and a function that never returns, delay the others by little', async () => {
  await database.transact({ ...aRun(), args: { name: 'wanted' } })
  await learn()
  const update = 'update items set size = size + 1 where name = ?'
  const holder = database.transact(
    rename(
      'items.hold',
      aRun(async (tx) => {
        await tx.run(update, 'wanted')
        await pause(1_000)
        return 'held'
      }),
    ),
  )
  await pause(200)
  const waits = aRun(async (tx) => {
    await tx.run(update, 'wanted')
    return 'waited'
  })
  const forever = aRun((tx, args) => addItem(tx, args).then(() => new Promise(() => undefined)), {
    timeoutMs: 1_500,
  })
  const runs = someRuns()
  const all = [...runs.slice(0, 5), waits, forever, ...runs.slice(5)]
  const results = resultsOf(await performAll(all))
  expect(results.slice(5, 7)).toEqual(['waited', 'TOOL_EXECUTION_TIMEOUT none'])
  expect(results.toSpliced(5, 2)).toEqual(addedBy(runs))
  await holder
  expect(await sizeOf('wanted')).toBe(2)
})

test('values are read and written as by a function alone', async () => {
  const text = 'nul \0, mark \ue000, quote ", half \ud83d, é'
  const read: Apply = async (tx) => ({
    row:
      (await tx.get(
        `select cast(? as text) as odd, cast(? as bigint) as large, cast(1.5 as numeric) as part,
          true as yes, cast(null as text) as nothing, cast(? as text) as missing,
          cast('2026-11-18' as date) as day, array[1, 2] as list`,
        text,
        9_007_199_254_740_991,
        null,
      )) ?? null,
  })
  const silent: Apply = async (tx) => ({ ...(await tx.run('delete from items where size = 9')) })
  const empty: Apply = async (tx) => await tx.all('')
  for (const apply of [read, silent, empty]) {
    const alone = await database.transact(aRun(apply))
    await learn()
    expect(
      new Set(resultsOf(await performAll(someRuns(apply))).map((one) => JSON.stringify(one))),
    ).toEqual(new Set([JSON.stringify(alone.kind === 'done' && alone.result)]))
  }
})
