import type { LocalRun, NewCall, Transaction } from '@surehand/core'
import { expect } from 'vitest'
import type { OpenStores } from './opened.ts'
import { aCall, anEntry, LEASE_MS } from './samples.ts'
import { type Promises, registerSuite } from './suite.ts'
import { addItem, addThenHang, addThenRefuse } from './suite-transactions.ts'

function run(call: NewCall, transaction: Transaction<{ readonly name: string }>, more: Partial<LocalRun> = {}): LocalRun {
  return {
    claim: { call, leaseMs: LEASE_MS, resumes: false },
    name: transaction.name,
    apply: transaction.apply as LocalRun['apply'],
    args: { name: call.callId },
    timeoutMs: 1_000,
    audit: anEntry(call),
    ...more,
  }
}

export const transactionPromises: Promises = {
  'claim, effect, answer and record are one': async ({ stores }) => {
    const call = aCall()
    const done = await stores.calls.transact(run(call, addItem))
    expect(done).toMatchObject({ kind: 'done', result: { items: 1 }, row: { state: 'succeeded' } })
    expect(await stores.calls.find(call)).toMatchObject({ state: 'succeeded', answer: { kind: 'output', json: '{"items":1}' } })
    const records = await stores.audit.list({ tenant: call.tenant })
    expect(records.map(({ call_id, output_hash }) => [call_id, output_hash.length])).toEqual([[call.callId, 64]])
  },
  'of many with one key one is done, and the others are shown its row': async ({ stores }) => {
    const all = await Promise.all(Array.from({ length: 10 }, () => stores.calls.transact(run(aCall({ key: 'k1' }), addItem))))
    expect(all.filter(({ kind }) => kind === 'done')).toHaveLength(1)
    expect(all.filter(({ kind }) => kind === 'held')).toHaveLength(9)
    expect(await stores.calls.query('select count(*) as items from suite_items')).toEqual([{ items: 1 }])
  },
  'many at once under keys of their own are all done': async ({ stores }) => {
    const all = await Promise.all(Array.from({ length: 10 }, () => stores.calls.transact(run(aCall(), addItem))))
    expect(all.every(({ kind }) => kind === 'done')).toBe(true)
    expect(await stores.calls.query('select count(*) as items from suite_items')).toEqual([{ items: 10 }])
  },
  'what is thrown is thrown on, and leaves neither effect nor key nor record': async ({ stores }) => {
    const call = aCall()
    await expect(stores.calls.transact(run(call, addThenRefuse))).rejects.toMatchObject({ code: 'TOOL_RESOURCE_NOT_FOUND' })
    expect(await stores.calls.query('select name from suite_items')).toEqual([])
    expect(await stores.audit.list({ tenant: call.tenant })).toEqual([])
    expect((await stores.calls.transact(run(call, addItem))).kind).toBe('done')
  },
  'one that fails takes none of its neighbours with it': async ({ stores }) => {
    const [first, broken, last] = [aCall(), aCall(), aCall()]
    const all = await Promise.allSettled([
      stores.calls.transact(run(first, addItem)),
      stores.calls.transact(run(broken, addThenRefuse)),
      stores.calls.transact(run(last, addItem)),
    ])
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await stores.calls.query('select count(*) as items from suite_items')).toEqual([{ items: 2 }])
  },
  'one that takes too long is rolled back, and the next one gets its turn': async ({ stores, advance }) => {
    const call = aCall()
    const stuck = stores.calls.transact(run(call, addThenHang))
    const caught = expect(stuck).rejects.toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT' })
    await advance(1_000)
    await caught
    expect((await stores.calls.transact(run(aCall(), addItem))).kind).toBe('done')
    expect(await stores.calls.query('select count(*) as items from suite_items')).toEqual([{ items: 1 }])
  },
  'a key that is held is not run': async ({ stores }) => {
    const call = aCall()
    await stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: false })
    expect((await stores.calls.transact(run(call, addItem))).kind).toBe('held')
    expect(await stores.calls.query('select name from suite_items')).toEqual([])
  },
}

/** The promises of local effects: all of it or none. */
export function transactionSuite(name: string, open: OpenStores): void {
  registerSuite('local effects', name, open, transactionPromises)
}
