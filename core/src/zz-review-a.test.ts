import { fakeClock } from '@surehand/conformance'
import { memoryStores } from '@surehand/memory'
import { test } from 'vitest'
import { z } from 'zod'
import { definePack } from './define/pack.ts'
import { definePort, lookUp, sameKey, unrecoverable } from './define/port.ts'
import { defineTool, transact } from './define/tool.ts'
import { defineTransaction } from './define/transaction.ts'
import { createRuntime } from './runtime.ts'

const ann: any = { tenant: 'acme', principal: 'ann', actor: 'user', roles: ['user'], capabilities: [], session: 's1' }
const root: any = { ...ann, principal: 'root', roles: ['admin'] }
const out = z.object({ n: z.number() })
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms))
const base = { title: 'T', category: 'custom' as const, description: 'd' }
const show = (o: any) =>
  o.status === 'failed' ? `${o.status} ${o.error.code}: ${o.error.message}` : `${o.status} ${o.source ?? ''} ${JSON.stringify(o.data)}`
const L = (...a: unknown[]) => console.log(...a)
const rt = (tools: any[], more: any = {}) => {
  const stores = more.stores ?? memoryStores({ clock: more.clock, schema: more.schema })
  return { stores, runtime: createRuntime({ packs: [definePack({ name: 'p', tools })], stores, ...more }) }
}

test('1 transaction result that is not canonical JSON: committed, ledger dropped', async () => {
  const tx = defineTransaction('pay', async (t: any) => {
    await t.run('insert into pay values (1)')
    return { n: 1, tags: [undefined] }
  })
  const tool = defineTool({
    id: 'a.pay',
    ...base,
    input: z.object({}),
    output: z.object({ n: z.number() }),
    contract: { effect: 'writes.pay', reversible: false, idempotency: 'caller' },
    transaction: transact(tx, () => ({})) as any,
  })
  const { runtime, stores } = rt([tool], { schema: ['create table pay (x)'] })
  for (let i = 0; i < 2; i++)
    L('T1', show(await runtime.call({ tool: 'a.pay', input: {}, caller: ann, surface: 't', idempotencyKey: 'k' })))
  L('T1 rows in pay:', (await stores.calls.query('select * from pay')).length)
})

test('2 local effect answered as timed out commits afterwards', async () => {
  const slow = defineTransaction('slow', async (t: any, a: any) => {
    await t.run('insert into pay values (?)', a.who)
    if (a.who === 'first') await wait(1000)
    return { n: 1 }
  })
  const tool = defineTool({
    id: 'a.pay',
    ...base,
    input: z.object({ who: z.string() }),
    output: out,
    contract: { effect: 'writes.pay', reversible: true, idempotency: 'caller', timeout: '200ms' },
    transaction: transact(slow, (e: any) => ({ who: e.input.who })) as any,
  })
  const { runtime, stores } = rt([tool], { schema: ['create table pay (x)'] })
  const call = (who: string) => runtime.call({ tool: 'a.pay', input: { who }, caller: ann, surface: 't' })
  const one = call('first')
  await wait(20)
  const two = call('second')
  L('T2', show(await one))
  L('T2', show(await two))
  await wait(100)
  L('T2 after both were told "timed out":', JSON.stringify(await stores.calls.query('select * from pay')))
  L('T2 retry as suggested', show(await call('second')), JSON.stringify(await stores.calls.query('select * from pay')))
})

test('3 duplicate guard is check-then-act', async () => {
  let effects = 0
  const tool = defineTool({
    id: 'a.pay',
    ...base,
    input: z.object({ x: z.number() }),
    output: out,
    contract: { effect: 'writes.pay', reversible: false, idempotency: 'caller' },
    execute: async () => ({ n: ++effects }),
  })
  const { runtime } = rt([tool])
  const call = () => runtime.call({ tool: 'a.pay', input: { x: 1 }, caller: ann, surface: 't' })
  L('T3', (await Promise.all([call(), call()])).map(show), 'effects', effects)
})

test('4 redirect frees the key', async () => {
  const effects: string[] = []
  const mk = (id: string) =>
    defineTool({
      id,
      ...base,
      input: z.object({}),
      output: out,
      contract: { effect: 'writes.pay', reversible: false, idempotency: 'caller' },
      execute: async () => {
        effects.push(id)
        return { n: 1 }
      },
    })
  const clock = fakeClock(1_000_000_000_000)
  const { runtime } = rt([mk('a.old'), mk('a.fresh')], { clock })
  const call = () => runtime.call({ tool: 'a.old', input: {}, caller: ann, surface: 't', idempotencyKey: 'order-1' })
  L('T4', show(await call()))
  L('T4', (await runtime.changes.deprecateTool(root, 'a.old', 'a.fresh', { redirectFrom: clock.now() })).success)
  L('T4', show(await call()), effects)
})

test('5 edit of a derived key', async () => {
  const effects: number[] = []
  const tool = defineTool({
    id: 'a.pay',
    ...base,
    input: z.object({ order: z.number() }),
    output: out,
    contract: {
      effect: 'writes.pay',
      reversible: false,
      idempotency: (i: any) => `order-${i.order}`,
      approval: { asks: (i: any) => `pay ${i.order}?`, when: (i: any) => i.order !== 3 },
    },
    execute: async ({ input }) => {
      effects.push(input.order)
      return { n: 1 }
    },
  })
  const { runtime } = rt([tool])
  const call = (order: number) => runtime.call({ tool: 'a.pay', input: { order }, caller: ann, surface: 't' })
  const yes = async (p: any) => runtime.approvals.decide(root, p.id, { verdict: 'approve', digest: p.digest })
  const first: any = await call(2)
  await yes(first.approval)
  L('T5 order 2 is paid:', effects)
  const second: any = await call(1)
  const edited = await runtime.approvals.edit(root, second.approval.id, { order: 2 })
  await yes(edited)
  L('T5 after edit 1 -> 2 and yes:', effects)
})

test('6 prune takes the guard from a young row', async () => {
  let effects = 0
  const clock = fakeClock(1_000_000_000_000)
  const tool = defineTool({
    id: 'a.pay',
    ...base,
    input: z.object({ x: z.number() }),
    output: out,
    contract: { effect: 'writes.pay', reversible: false, idempotency: 'caller' },
    execute: async () => ({ n: ++effects }),
  })
  const { runtime } = rt([tool], { clock })
  const call = (x = 1) => runtime.call({ tool: 'a.pay', input: { x }, caller: ann, surface: 't' })
  await call()
  await clock.advance(30 * 86_400_000 - 60_000)
  L('T6 day 30 -1min', show(await call()))
  await clock.advance(61_000)
  await call(2)
  L('T6 a minute later, same input:', show(await call()), 'effects', effects)
})

test('7 pruned key of an irreversible tool runs again; unknown is forgotten', async () => {
  let effects = 0
  const clock = fakeClock(1_000_000_000_000)
  const tool = defineTool({
    id: 'a.pay',
    ...base,
    input: z.object({}),
    output: out,
    contract: { effect: 'writes.pay', reversible: false, idempotency: 'caller' },
    execute: async () => {
      effects++
      throw new Error('reset')
    },
  })
  const { runtime } = rt([tool], { clock })
  const call = (k: string) => runtime.call({ tool: 'a.pay', input: {}, caller: ann, surface: 't', idempotencyKey: k })
  L('T7', show(await call('k')))
  await clock.advance(30 * 86_400_000 + 1)
  await call('other')
  effects = 0
  L('T7', show(await call('k')), 'ran again:', effects)
})

test('8 settle without a dead old attempt', async () => {
  let effects = 0
  const port = definePort<any>('bank', { pay: lookUp({ method: 'find', settle: '50ms' }), find: 'read' })
  const tool = defineTool({
    id: 'a.pay',
    ...base,
    input: z.object({}),
    output: out,
    ports: { bank: port },
    contract: { effect: 'writes.pay', reversible: false, idempotency: 'caller', timeout: '200ms', retries: 1 },
    execute: async ({ ports, signal }: any) => ports.bank.pay({}, signal),
  })
  let first = true
  const bank = {
    pay: async () => {
      if (first) {
        first = false
        await wait(260)
      }
      effects++
      return { n: effects }
    },
    find: async () => null,
  }
  const { runtime } = rt([tool], { providers: { bank } })
  L('T8', show(await runtime.call({ tool: 'a.pay', input: {}, caller: ann, surface: 't', idempotencyKey: 'k' })))
  await wait(300)
  L('T8 effects', effects)
})

test('9 stale look-up wipes the running attempt', async () => {
  let effects = 0,
    asks = 0
  const port = definePort<any>('bank', { pay: lookUp({ method: 'find', settle: '20ms' }), find: 'read' })
  const tool = defineTool({
    id: 'a.pay',
    ...base,
    input: z.object({}),
    output: out,
    ports: { bank: port },
    contract: { effect: 'writes.pay', reversible: false, idempotency: 'caller', timeout: '200ms', retries: 1 },
    execute: async ({ ports, signal }: any) => ports.bank.pay({}, signal),
  })
  let sends = 0
  const never = new Promise(() => undefined)
  const bank = {
    pay: async () => {
      sends++
      if (sends === 1) return never
      if (sends === 2) {
        effects++
        return never
      }
      effects++
      return { n: effects }
    },
    find: async () => {
      asks++
      if (asks === 1) {
        await wait(250)
        return null
      }
      return null
    },
  }
  const { runtime, stores } = rt([tool], { providers: { bank } })
  const call = () => runtime.call({ tool: 'a.pay', input: {}, caller: ann, surface: 't', idempotencyKey: 'k' })
  const one: any = await call()
  L('T9', show(one), 'row', (await stores.calls.get('acme', one.facts.callId))?.state, { sends, effects, asks })
  L('T9 same key again', show(await call()), { sends, effects })
})

test('10 output that is not JSON after a write', async () => {
  let effects = 0
  const tool = defineTool({
    id: 'a.pay',
    ...base,
    input: z.object({}),
    output: out,
    contract: { effect: 'writes.pay', reversible: false, idempotency: 'caller' },
    execute: async () => {
      effects++
      return { n: 1n } as any
    },
  })
  const loose = defineTool({
    id: 'a.loose',
    ...base,
    input: z.object({}),
    output: z.object({ any: z.any() }),
    contract: { effect: 'writes.pay', reversible: false, idempotency: 'caller' },
    execute: async () => ({ any: new Date() }),
  })
  const { runtime, stores } = rt([tool, loose])
  for (const id of ['a.pay', 'a.loose']) {
    const one: any = await runtime.call({ tool: id, input: {}, caller: ann, surface: 't', idempotencyKey: 'k' })
    L('T10', id, show(one), 'row', (await stores.calls.get('acme', one.facts.callId))?.state)
    L('T10', show(await runtime.call({ tool: id, input: {}, caller: ann, surface: 't', idempotencyKey: 'k' })))
  }
})

test('11 effect methods are unguarded in reads, gates and checks', async () => {
  let effects = 0
  const port = definePort<any>('bank', { pay: unrecoverable })
  const tool = defineTool({
    id: 'a.peek',
    ...base,
    input: z.object({}),
    output: out,
    ports: { bank: port },
    contract: { effect: 'read' },
    execute: async ({ ports, signal }: any) => ports.bank.pay({}, signal),
  })
  const { runtime } = rt([tool], {
    providers: {
      bank: {
        pay: async () => {
          effects++
          throw Object.assign(new (await import('./call/tool-error.ts')).ToolError('TOOL_NETWORK_ERROR', 'reset', { effect: 'possible' }))
        },
      },
    },
  })
  L('T11', show(await runtime.call({ tool: 'a.peek', input: {}, caller: ann, surface: 't' })), 'effects', effects)
})
