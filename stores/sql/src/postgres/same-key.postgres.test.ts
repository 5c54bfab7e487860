import { setTimeout as pause } from 'node:timers/promises'
import type { Tx } from '@surehand/core'
import type { ClaimRequest } from '@surehand/core/ports'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createDatabase } from '../../testing/create-database.ts'
import { queueCall } from '../calls/calls.ts'
import { claimKey, claimUnused } from '../calls/claim.ts'
import { getCall } from '../calls/looks.ts'
import type { Database } from '../database.ts'
import { type Apply, addItem, aRun, ITEMS, itemNames } from './fixtures/items.ts'
import { openPostgresDatabase } from './open-postgres-database.ts'

const POOL_SIZE = 2
const MORE_THAN_ALL_SESSIONS = 3 * POOL_SIZE
const RUNNING = { code: 'TOOL_ALREADY_RUNNING', effect: 'none', details: { retry_after_ms: 1_000 } }

let url: string
let database: Database
let release: () => void
let held: Apply

beforeEach(async () => {
  url = await createDatabase(inject('postgres'))
  database = await openPostgresDatabase({ url, packs: [ITEMS], poolSize: POOL_SIZE })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  held = async (tx, args) => {
    const added = await addItem(tx, args)
    await released
    return added
  }
})
afterEach(() => database.close())

/** Starts a local effect that ends when it is released, and waits until it is running. */
async function begin(claim: Partial<ClaimRequest> = {}) {
  let enter: () => void = () => undefined
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  const apply = (tx: Tx, args: { readonly name: string }) => {
    enter()
    return held(tx, args)
  }
  const { claim: whole } = aRun()
  const run = aRun(apply, { claim: { ...whole, ...claim } })
  const answer = database.transact(run)
  await entered
  return { run, answer }
}

const anotherId = ({ claim }: ReturnType<typeof aRun>) => ({
  ...claim,
  call: { ...claim.call, callId: aRun().claim.call.callId },
})

describe('while a local effect is under way', () => {
  test('callers with its key are answered that it is running, and more of them than there are sessions block no other call', async () => {
    const { run, answer } = await begin()
    const others = Array.from({ length: MORE_THAN_ALL_SESSIONS }, () =>
      database.transact(aRun(addItem, { claim: anotherId(run) })),
    )
    const result = await Promise.allSettled(others)
    expect(result).toMatchObject(others.map(() => ({ status: 'rejected', reason: RUNNING })))
    expect((await database.transact(aRun())).kind).toBe('done')
    release()
    expect((await answer).kind).toBe('done')
    expect(await database.transact(aRun(addItem, { claim: anotherId(run) }))).toMatchObject({
      kind: 'held',
      row: { state: 'succeeded' },
    })
  })

  test('a caller that arrives a moment before its end receives its answer', async () => {
    const { run, answer } = await begin()
    const other = database.transact(aRun(addItem, { claim: anotherId(run) }))
    await pause(1)
    release()
    expect([(await answer).kind, await other]).toMatchObject([
      'done',
      { kind: 'held', row: { callId: run.claim.call.callId } },
    ])
  })

  test('a caller with the same input and no key is answered that an irreversible one is running', async () => {
    const irreversible = { ...aRun().claim.call, irreversible: true }
    const { run, answer } = await begin({ guardMs: 60_000, call: irreversible })
    const other = aRun()
    const call = { ...other.claim.call, irreversible: true, keySource: 'fresh' as const }
    await expect(
      database.transact({ ...other, claim: { ...run.claim, call } }),
    ).rejects.toMatchObject(RUNNING)
    release()
    await answer
  })

  test('a second wake-up of its call is told so, and counts no try', async () => {
    const { call } = aRun().claim
    await database.step(queueCall, { call, guardMs: undefined })
    const before = (await database.step(getCall, call))?.fence ?? 0
    const ends = held
    held = (tx, args) => ends(tx, args).then(() => Promise.reject(new TypeError('broken')))
    const { run, answer } = await begin({ call, resumes: true })
    const second = expect(
      database.transact(aRun(addItem, { claim: run.claim })),
    ).rejects.toMatchObject(RUNNING)
    // An attempt that counted would wait for the first, and count after it.
    await Promise.race([second, pause(5_000)])
    release()
    await expect(answer).rejects.toThrow('broken')
    await second
    expect(await database.step(getCall, call)).toMatchObject({ state: 'queued', fence: before + 1 })
  })

  test.each([claimUnused, claimKey])(
    'a plain claim of its key by $name is told so',
    async (step) => {
      const { run, answer } = await begin()
      await expect(database.step(step as typeof claimKey, anotherId(run))).rejects.toMatchObject(
        RUNNING,
      )
      release()
      await answer
    },
  )
})

test('a function that divides by zero is not taken for a key in other hands', async () => {
  await expect(
    database.transact(aRun((tx) => tx.get('select 1 / size from (select 0 as size) zero'))),
  ).rejects.toMatchObject({
    code: 'TOOL_STORAGE_ERROR',
  })
})

test('slow local effects and queries wait for each other, and the ledger always finds a session', async () => {
  const slow = await Promise.all(Array.from({ length: POOL_SIZE }, () => begin()))
  const waiting = database.transact(aRun())
  const asking = itemNames(database)
  const reads = Array.from({ length: MORE_THAN_ALL_SESSIONS }, (_, index) =>
    database.step(getCall, { tenant: 'acme', callId: `call-${index}` }),
  )
  expect(await Promise.all(reads)).toEqual(reads.map(() => undefined))
  release()
  expect(await Promise.all([...slow.map(({ answer }) => answer), waiting])).toMatchObject(
    Array.from({ length: POOL_SIZE + 1 }, () => ({ kind: 'done' })),
  )
  await asking
})

test('a lazy step that waits for a person is asked again', async () => {
  await database.transact(aRun((tx) => tx.run("insert into items (name) values ('a')")))
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query("begin; update items set size = 1 where name = 'a'")
  const adding = database.step(
    {
      name: 'test.add',
      mode: 'lazy',
      statements: 'one',
      run: (sql) => sql.run("update items set size = size + 1 where name = 'a'"),
    },
    undefined,
  )
  await pause(700)
  await other.query('commit')
  await other.end()
  expect([await adding, await database.query('select size from items', [])]).toEqual([
    1,
    [{ size: 2 }],
  ])
})
