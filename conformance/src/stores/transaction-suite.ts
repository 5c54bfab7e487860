import type { Transaction } from '@surehand/core'
import type { LocalRun, NewCall } from '@surehand/core/ports'
import { expect } from 'vitest'
import type { OpenStores } from './opened.ts'
import { aCall, anEntry, LEASE_MS, whenVisible } from './samples.ts'
import { type Promises, registerSuite } from './suite.ts'
import {
  addEach,
  addEachThenRefuse,
  addItem,
  addThenDawdle,
  addThenHang,
  addThenMumble,
  addThenRefuse,
  DAWDLE_MS,
  NOT_JSON_NAMES,
} from './suite-transactions.ts'

function run(
  call: NewCall,
  transaction: Pick<Transaction<never>, 'name' | 'apply'>,
  more: Partial<LocalRun> = {},
): LocalRun {
  return {
    claim: { call, leaseMs: LEASE_MS, resumes: false, guardMs: undefined },
    name: transaction.name,
    apply: transaction.apply as LocalRun['apply'],
    args: { name: call.callId },
    // Longer than a busy machine takes; the tests of the limit pass their own.
    timeoutMs: 60_000,
    audit: anEntry(call),
    ...more,
  }
}

export const transactionPromises: Promises = {
  'claim, effect, answer and record are one': async ({ stores }) => {
    const call = aCall()
    const done = await stores.calls.transact(run(call, addItem))
    expect(done).toMatchObject({
      kind: 'done',
      result: { items: 1 },
      fence: { tenant: call.tenant, callId: call.callId },
    })
    expect(await stores.calls.find(call)).toMatchObject({
      state: 'succeeded',
      answer: { kind: 'output', json: '{"items":1}' },
    })
    const records = await stores.audit.list({ tenant: call.tenant })
    expect(records.map(({ call_id, output_hash }) => [call_id, output_hash.length])).toEqual([
      [call.callId, 64],
    ])
  },
  'of many calls with one key one is done, and the others are shown its row': async ({
    stores,
  }) => {
    const add = () =>
      whenVisible(async () => stores.calls.transact(run(aCall({ key: 'k1' }), addItem)))
    const all = await Promise.all(Array.from({ length: 10 }, add))
    expect(all.filter(({ kind }) => kind === 'done')).toHaveLength(1)
    expect(all.filter(({ kind }) => kind === 'held')).toHaveLength(9)
    expect(await stores.calls.query('select count(*) as items from suite_items')).toEqual([
      { items: 1 },
    ])
  },
  'many at once under keys of their own are all done': async ({ stores }) => {
    const all = await Promise.all(
      Array.from({ length: 10 }, () => stores.calls.transact(run(aCall(), addItem))),
    )
    expect(all.every(({ kind }) => kind === 'done')).toBe(true)
    expect(await stores.calls.query('select count(*) as items from suite_items')).toEqual([
      { items: 10 },
    ])
  },
  'a thrown error is passed on, and leaves neither effect nor key nor record': async ({
    stores,
  }) => {
    const call = aCall()
    await expect(stores.calls.transact(run(call, addThenRefuse))).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
    })
    expect(await stores.calls.query('select name from suite_items')).toEqual([])
    expect(await stores.audit.list({ tenant: call.tenant })).toEqual([])
    expect((await stores.calls.transact(run(call, addItem))).kind).toBe('done')
  },
  'a failing transaction affects none of its neighbours': async ({ stores }) => {
    const [first, broken, last] = [aCall(), aCall(), aCall()]
    const all = await Promise.allSettled([
      stores.calls.transact(run(first, addItem)),
      stores.calls.transact(run(broken, addThenRefuse)),
      stores.calls.transact(run(last, addItem)),
    ])
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await stores.calls.query('select count(*) as items from suite_items')).toEqual([
      { items: 2 },
    ])
  },
  'a transaction that changes its arguments does all of it, run again or beside others': async ({
    stores,
  }) => {
    const args = { name: '', names: ['a', 'b'] }
    // The failing neighbour makes a store that groups its writes run the whole group again.
    const all = await Promise.allSettled([
      stores.calls.transact(run(aCall(), addEach, { args })),
      stores.calls.transact(run(aCall(), addThenRefuse)),
      stores.calls.transact(run(aCall(), addEachThenRefuse, { args })),
    ])
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    const items = 'select name from suite_items order by name'
    expect(await stores.calls.query(items)).toEqual([{ name: 'a' }, { name: 'b' }])
    expect(args.names).toEqual(['a', 'b'])
  },
  'two transactions in one group that share their arguments each get all of them': async ({
    stores,
  }) => {
    const args = { name: '', names: ['a'] }
    const again = () => stores.calls.transact(run(aCall(), addEachThenRefuse, { args }))
    await Promise.allSettled([
      again(),
      again(),
      stores.calls.transact(run(aCall(), addEach, { args })),
    ])
    expect(await stores.calls.query('select name from suite_items')).toEqual([{ name: 'a' }])
  },
  'a transaction past its time is rolled back, and the next one runs': async ({
    stores,
    advance,
  }) => {
    const call = aCall()
    const stuck = stores.calls.transact(run(call, addThenHang, { timeoutMs: 1_000 }))
    const caught = expect(stuck).rejects.toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT' })
    await advance(1_000)
    await caught
    expect((await stores.calls.transact(run(aCall(), addItem))).kind).toBe('done')
    expect(await stores.calls.query('select count(*) as items from suite_items')).toEqual([
      { items: 1 },
    ])
  },
  'a key that is held is not run': async ({ stores }) => {
    const call = aCall()
    await stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: false, guardMs: undefined })
    expect((await stores.calls.transact(run(call, addItem))).kind).toBe('held')
    expect(await stores.calls.query('select name from suite_items')).toEqual([])
  },
  'an answer that is not JSON is rolled back, and leaves neither effect nor key nor record':
    async ({ stores }) => {
      for (const answer of NOT_JSON_NAMES) {
        const call = aCall()
        const mumbled = stores.calls.transact(
          run(call, addThenMumble, { args: { name: call.callId, answer } }),
        )
        await expect(mumbled, answer).rejects.toMatchObject({
          code: 'TOOL_INVALID_OUTPUT',
          effect: 'none',
        })
        expect(await stores.calls.find(call)).toBeUndefined()
      }
      expect(await stores.calls.query('select name from suite_items')).toEqual([])
      expect(await stores.audit.list({ tenant: 'acme' })).toEqual([])
    },
  'an effect reported as timed out does not happen later': async ({ stores, advance }) => {
    const call = aCall()
    const slow = stores.calls.transact(run(call, addThenDawdle, { timeoutMs: 20 }))
    const caught = expect(slow).rejects.toMatchObject({
      code: 'TOOL_EXECUTION_TIMEOUT',
      effect: 'none',
    })
    await advance(20)
    await caught
    await new Promise((resolve) => setTimeout(resolve, 2 * DAWDLE_MS))
    expect([
      await stores.calls.find(call),
      await stores.calls.query('select name from suite_items'),
    ]).toEqual([undefined, []])
  },
  'a late transaction changes nothing, also when the call is queued again': async ({
    stores,
    advance,
  }) => {
    const call = aCall()
    await stores.calls.queue(call, undefined)
    const claim = { call, leaseMs: LEASE_MS, resumes: true, guardMs: undefined }
    const slow = stores.calls.transact(run(call, addThenDawdle, { claim, timeoutMs: 20 }))
    const caught = expect(slow).rejects.toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT' })
    await advance(20)
    await caught
    await new Promise((resolve) => setTimeout(resolve, 3 * DAWDLE_MS))
    expect(await stores.calls.get(call.tenant, call.callId)).toMatchObject({
      state: 'queued',
      answer: undefined,
    })
    expect([
      await stores.audit.list({ tenant: call.tenant }),
      await stores.calls.query('select name from suite_items'),
    ]).toEqual([[], []])
  },
  'a queued call whose transaction fails goes back on the list, and its tries are counted': async ({
    stores,
  }) => {
    const call = aCall()
    await stores.calls.queue(call, undefined)
    const claim = { call, leaseMs: LEASE_MS, resumes: true, guardMs: undefined }
    const fences: number[] = []
    for (let index = 0; index < 3; index++) {
      await expect(
        stores.calls.transact(run(call, addThenRefuse, { claim })),
      ).rejects.toMatchObject({ code: 'TOOL_RESOURCE_NOT_FOUND' })
      const row = await stores.calls.get(call.tenant, call.callId)
      expect(row).toMatchObject({ state: 'queued', input: call.input, leaseUntil: undefined })
      fences.push(row?.fence ?? 0)
    }
    expect(fences).toEqual([...new Set(fences)].toSorted((left, right) => left - right))
    expect((await stores.calls.transact(run(call, addItem, { claim }))).kind).toBe('done')
  },
  'a failed transaction is no earlier call': async ({ stores }) => {
    const call = aCall({ irreversible: true })
    await expect(stores.calls.transact(run(call, addThenRefuse))).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
    })
    expect(await stores.calls.recent(aCall({ irreversible: true }), 600_000)).toBeUndefined()
  },
  'of many transactions with one input and no stable key one is done': async ({ stores }) => {
    const all = await Promise.all(
      Array.from({ length: 5 }, () => {
        const call = aCall({ irreversible: true, keySource: 'fresh' })
        return stores.calls.transact(
          run(call, addItem, {
            claim: { call, leaseMs: LEASE_MS, resumes: false, guardMs: 600_000 },
          }),
        )
      }),
    )
    expect(all.map(({ kind }) => kind).toSorted()).toEqual([
      'done',
      'duplicate',
      'duplicate',
      'duplicate',
      'duplicate',
    ])
  },
  'a query sees nothing of a transaction that is under way': async ({ stores, advance }) => {
    const stuck = stores.calls.transact(run(aCall(), addThenHang, { timeoutMs: 1_000 }))
    const caught = expect(stuck).rejects.toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT' })
    const read = stores.calls.query('select name from suite_items')
    await advance(1_000)
    await caught
    expect(await read).toEqual([])
  },
  'a query reads and does nothing else': async ({ stores }) => {
    const writes = [
      "insert into suite_items (name) values ('x')",
      'drop table suite_items',
      'begin',
    ]
    const hidden =
      "with x as (select 'x' as name) insert into suite_items (name) select name from x returning name"
    for (const sql of [...writes, hidden])
      await expect((async () => stores.calls.query(sql))(), sql).rejects.toThrow()
    expect(await stores.calls.query('with x as (select 1 as one) select one from x')).toEqual([
      { one: 1 },
    ])
    expect((await stores.calls.transact(run(aCall(), addItem))).kind).toBe('done')
    expect(await stores.calls.query('select count(*) as items from suite_items')).toEqual([
      { items: 1 },
    ])
  },
}

/** The promises of local effects: all of it or none. */
export function transactionSuite(name: string, open: OpenStores): void {
  registerSuite('local effects', name, open, transactionPromises)
}
