import { setTimeout as pause } from 'node:timers/promises'
import type { Tx } from '@surehand/core'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createDatabase } from '../../testing/create-database.ts'
import { queueCall } from '../calls/calls.ts'
import { getCall } from '../calls/looks.ts'
import type { Database } from '../database.ts'
import { type BreakingProxy, breakingProxy, LATE_MS } from './fixtures/breaking-proxy.ts'
import { addItem, aRun, ITEMS, itemNames } from './fixtures/items.ts'
import { openPostgresDatabase } from './open-postgres-database.ts'

let url: string
let database: Database

beforeEach(async () => {
  url = await createDatabase(inject('postgres'))
  database = await openPostgresDatabase({ url, packs: [ITEMS] })
})
afterEach(() => database.close())

const rowOf = ({ claim: { call } }: ReturnType<typeof aRun>) =>
  database.step(getCall, { tenant: call.tenant, callId: call.callId })

describe('a commit whose answer is lost', () => {
  let proxy: BreakingProxy
  let shaky: Database

  beforeEach(async () => {
    proxy = await breakingProxy(url)
    shaky = await openPostgresDatabase({ url: proxy.url, packs: [ITEMS] })
  })
  afterEach(async () => {
    await shaky.close()
    await proxy.close()
  })

  test('and that happened is told as done, with the answer that was kept', async () => {
    const run = aRun()
    proxy.breakCommit('after')
    const done = await shaky.transact(run)
    expect(done).toMatchObject({ kind: 'done', result: { added: run.claim.call.callId } })
    expect(await itemNames(database)).toEqual([run.claim.call.callId])
  })

  test('and that never arrived is told as nothing done, and may be tried again under its key', async () => {
    const run = aRun()
    proxy.breakCommit('before')
    await expect(shaky.transact(run)).rejects.toMatchObject({
      code: 'TOOL_STORAGE_ERROR',
      effect: 'none',
    })
    expect([await itemNames(database), await rowOf(run)]).toEqual([[], undefined])
    expect((await shaky.transact(run)).kind).toBe('done')
  })

  test('and that is still on its way is told as nothing done, and then never happens', async () => {
    const run = aRun()
    proxy.breakCommit('late')
    await expect(shaky.transact(run)).rejects.toMatchObject({
      code: 'TOOL_STORAGE_ERROR',
      effect: 'none',
    })
    await pause(2 * LATE_MS)
    expect([await itemNames(database), await rowOf(run)]).toEqual([[], undefined])
  })

  test('and cannot be looked up is reported as unknown', async () => {
    const run = aRun()
    proxy.breakCommit('for good')
    await expect(shaky.transact(run)).rejects.toMatchObject({
      code: 'TOOL_STORAGE_ERROR',
      effect: undefined,
    })
    expect((await rowOf(run))?.state).toBe('succeeded')
  })
})

describe('a run that takes too long', () => {
  /** Every session has been used by another transaction. */
  const throughAllSessions = () =>
    Promise.all(Array.from({ length: 30 }, () => database.transact(aRun(async () => null))))

  // The time to open a session is not measured.
  beforeEach(async () => {
    await throughAllSessions()
  })

  test('is not one that may take longer than a timer can count', async () => {
    expect((await database.transact(aRun(addItem, { timeoutMs: 2 ** 31 }))).kind).toBe('done')
  })

  test('is there if it was told as done, and is not there if it was told as timed out, at whatever moment the time was over', async () => {
    const runs = Array.from({ length: 300 }, (_, index) =>
      aRun(addItem, { timeoutMs: 1 + Math.round(index ** 2 / 10) }),
    )
    const result = await Promise.allSettled(runs.map((run) => database.transact(run)))
    const done = runs
      .filter((_, index) => result[index]?.status === 'fulfilled')
      .map((run) => run.claim.call.callId)
    const timedOut = result.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(
      timedOut.every(
        (reason) => reason.code === 'TOOL_EXECUTION_TIMEOUT' && reason.effect === 'none',
      ),
    ).toBe(true)
    expect([done.length > 0, timedOut.length > 0]).toEqual([true, true])
    // A late effect would have happened by then.
    await throughAllSessions()
    expect(await itemNames(database)).toEqual(done.toSorted())
  })

  test('is answered though its function never returns, and blocks no other call', async () => {
    const forever = aRun(
      (tx, args) => addItem(tx, args).then(() => new Promise<never>(() => undefined)),
      { timeoutMs: 50 },
    )
    await expect(database.transact(forever)).rejects.toMatchObject({
      code: 'TOOL_EXECUTION_TIMEOUT',
    })
    expect((await database.transact({ ...aRun(), claim: forever.claim })).kind).toBe('done')
  })

  test('lets go of its locks though it waits for one itself', async () => {
    const holder = aRun(async (tx) => {
      await tx.run("insert into items (name) values ('wanted')")
      await pause(1_500)
      return null
    })
    const held = database.transact(holder)
    await pause(200)
    const waiter = aRun(
      async (tx) => {
        await tx.run("insert into items (name) values ('mine')")
        return tx.run("insert into items (name) values ('wanted')")
      },
      { timeoutMs: 200 },
    )
    await expect(database.transact(waiter)).rejects.toMatchObject({
      code: 'TOOL_EXECUTION_TIMEOUT',
    })
    const next = await database.transact(
      aRun((tx) => tx.run("insert into items (name) values ('mine')")),
    )
    expect([next.kind, (await held).kind]).toEqual(['done', 'done'])
  })

  test('can do nothing more once it was given up', async () => {
    let late: Promise<unknown> | undefined
    const slow = aRun(
      async (tx, args) => {
        await pause(100)
        late = addItem(tx, args)
        return late
      },
      { timeoutMs: 20 },
    )
    await expect(database.transact(slow)).rejects.toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT' })
    await pause(150)
    await expect(late).rejects.toMatchObject({ code: 'TOOL_CANCELLED' })
    expect(await itemNames(database)).toEqual([])
  })
})

describe('a transaction function', () => {
  test.each([
    'commit',
    'ROLLBACK',
    ' -- so\n begin',
    '/* so */ end',
    'savepoint a',
    'set synchronous_commit = off',
    "prepare transaction 'a'",
  ])('cannot execute %j', async (text) => {
    await expect(database.transact(aRun((tx) => tx.run(text)))).rejects.toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
    })
  })

  test('cannot end its transaction behind another statement', async () => {
    const run = aRun((tx) => tx.run('select 1; commit'))
    await expect(database.transact(run)).rejects.toMatchObject({
      code: 'TOOL_STORAGE_ERROR',
      effect: 'none',
    })
    expect(await rowOf(run)).toBeUndefined()
  })

  test('that goes on after a statement of its own has failed leaves nothing behind', async () => {
    const stubborn = aRun(async (tx, args) => {
      await addItem(tx, args)
      await tx.run('insert into nowhere values (1)').catch(() => undefined)
      return null
    })
    await expect(database.transact(stubborn)).rejects.toMatchObject({
      code: 'TOOL_STORAGE_ERROR',
      effect: 'none',
    })
    expect([await itemNames(database), await rowOf(stubborn)]).toEqual([[], undefined])
  })

  test('whose transaction has ended is refused by it', async () => {
    const kept: Tx[] = []
    await database.transact(aRun(async (tx) => void kept.push(tx)))
    await expect(kept[0]?.run("insert into items (name) values ('late')")).rejects.toMatchObject({
      code: 'TOOL_CANCELLED',
    })
    expect(await itemNames(database)).toEqual([])
  })

  test('that meets another in a deadlock is tried again, and both are done', async () => {
    await database.transact(aRun((tx) => tx.run("insert into items (name) values ('a'), ('b')")))
    const both = (first: string, second: string) =>
      aRun(async (tx) => {
        await tx.run('update items set size = size + 1 where name = ?', first)
        await pause(100)
        return tx.run('update items set size = size + 1 where name = ?', second)
      })
    const result = await Promise.all([
      database.transact(both('a', 'b')),
      database.transact(both('b', 'a')),
    ])
    expect(result.map(({ kind }) => kind)).toEqual(['done', 'done'])
    expect(await database.query('select name, size from items order by name', [])).toEqual([
      { name: 'a', size: 2 },
      { name: 'b', size: 2 },
    ])
  })

  test('that fails for a queued call leaves it queued, with one more try counted', async () => {
    const failing = aRun(async () => Promise.reject(new TypeError('broken')))
    await database.step(queueCall, { call: failing.claim.call, guardMs: undefined })
    const before = (await rowOf(failing))?.fence ?? 0
    await expect(
      database.transact({ ...failing, claim: { ...failing.claim, resumes: true } }),
    ).rejects.toThrow('broken')
    expect(await rowOf(failing)).toMatchObject({ state: 'queued', fence: before + 1 })
  })
})
