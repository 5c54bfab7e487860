import { memoryStores } from '@surehand/memory'
import { fakeClock } from '@surehand/conformance'
import { test } from 'vitest'
import { z } from 'zod'
import { definePack } from './define/pack.ts'
import { definePort, lookUp, sameKey, unrecoverable } from './define/port.ts'
import { defineTool, transact } from './define/tool.ts'
import { defineTransaction } from './define/transaction.ts'
import { sensitive } from './define/sensitive.ts'
import { ToolError } from './call/tool-error.ts'
import { createRuntime } from './runtime.ts'

const ann: any = { tenant: 'acme', principal: 'ann', actor: 'user', roles: ['user'], capabilities: [], session: 's1' }
const root: any = { ...ann, principal: 'root', roles: ['admin'] }
const out = z.object({ n: z.number() })
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms))
const base = { title: 'T', category: 'custom' as const, description: 'd' }
const show = (o: any) => (o === undefined ? 'undefined' : o.status === 'failed' ? `${o.status} ${o.error.code}: ${o.error.message}` : `${o.status} ${o.source ?? ''} ${JSON.stringify(o.data)}`)
const L = (...a: unknown[]) => console.log(...a)
const rt = (tools: any[], more: any = {}) => {
  const stores = more.stores ?? memoryStores({ clock: more.clock, schema: more.schema })
  return { stores, runtime: createRuntime({ packs: [definePack({ name: 'p', tools })], stores, ...more }) }
}
const W = { effect: 'writes.pay', reversible: false, idempotency: 'caller' } as const

test('2b transact withinMs', async () => {
  const slow = defineTransaction('slow', async (t: any, a: any) => { if (a.who === 'first') await wait(100); await t.run('insert into pay values (?)', a.who); return { n: 1 } })
  const tool = defineTool({ id: 'a.pay', ...base, input: z.object({ who: z.string() }), output: out, contract: { ...W, reversible: true }, transaction: transact(slow, (e: any) => ({ who: e.input.who })) as any })
  const { runtime, stores } = rt([tool], { schema: ['create table pay (x)'] })
  const one = runtime.call({ tool: 'a.pay', input: { who: 'first' }, caller: ann, surface: 't' })
  const second = await runtime.call({ tool: 'a.pay', input: { who: 'second' }, caller: ann, surface: 't', withinMs: 40 })
  L('T2', show(second)); await one; await wait(50)
  L('T2 later', JSON.stringify(await stores.calls.query('select * from pay')))
})

test('12 fetchAnswer ignores scope; agents of admins read everybody', async () => {
  const tool = defineTool({ id: 'a.export', ...base, input: z.object({}), output: z.object({ scope: z.string() }), contract: { ...W, reversible: true, permissions: { capabilities: ['report.read'] } }, execute: async ({ scopeOf }) => ({ scope: scopeOf('report.read') }) })
  const { runtime } = rt([tool])
  const wide = { ...ann, capabilities: [{ name: 'report.read', scope: 'all' }] }, narrow = { ...ann, capabilities: [{ name: 'report.read', scope: 'self' }] }
  const one: any = await runtime.call({ tool: 'a.export', input: {}, caller: wide, surface: 't', idempotencyKey: 'k' })
  L('T12 replay, narrowed:', show(await runtime.call({ tool: 'a.export', input: {}, caller: narrow, surface: 't', idempotencyKey: 'k' })))
  L('T12 answer(), narrowed:', show(await runtime.answer(narrow, one.facts.callId)))
  L("T12 answer(), admin's agent, default delegation, own scope self:", show(await runtime.answer({ ...root, actor: 'ai_agent', capabilities: [{ name: 'report.read', scope: 'self' }] }, one.facts.callId)))
})

test('13 second person is a word', async () => {
  const clock = fakeClock()
  const tool = defineTool({ id: 'a.pay', ...base, input: z.object({}), output: out, contract: W, execute: async () => { throw new Error('reset') } })
  const { runtime, stores } = rt([tool], { clock })
  const one: any = await runtime.call({ tool: 'a.pay', input: {}, caller: root, surface: 't', idempotencyKey: 'k' })
  await runtime.resolveUnknown(root, one.facts.callId, { text: 'looked', found: 'not_done', second: 'mickey mouse' })
  L('T13', (await stores.calls.get('acme', one.facts.callId))?.state, JSON.stringify((await stores.audit.list({ tenant: 'acme' })).filter((r) => r.phase === 'decision')).includes('mickey'))
})

test('14 stuck effect_started rows are never settled, and starve the sweep', async () => {
  const clock = fakeClock()
  let disabled: string[] = []
  let broken = true
  const port = definePort<any>('bank', { pay: sameKey({ validFor: '1d' }) })
  const mk = (id: string) => defineTool({ id, ...base, input: z.object({ x: z.number() }), output: out, ports: { bank: port }, contract: W, execute: async ({ ports, input, signal }: any) => ports.bank.pay(input, signal) })
  let version = 0
  const policyOf = () => ({ version, disabledTools: disabled })
  const { runtime, stores } = rt([mk('a.pay'), mk('a.ok')], { clock, policyOf, providers: { bank: { pay: async () => { if (broken) throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', '503', { effect: 'possible' }); return { n: 1 } } } } })
  const go = (tool: string, x: number) => runtime.call({ tool, input: { x }, caller: ann, surface: 't', idempotencyKey: `k${x}` })
  const first: any = await go('a.pay', 0)
  for (let i = 1; i < 100; i++) await go('a.pay', i)
  const last: any = await go('a.ok', 100)
  L('T14', show(first), show(last))
  disabled = ['a.pay']; version++; broken = false
  await clock.advance(60_000)
  for (let i = 0; i < 20; i++) { L === L && (await runtime.sweep()); await clock.advance(5_000) }
  const state = async (o: any) => (await stores.calls.get('acme', o.facts.callId))?.state
  L('T14 after 20 sweeps: disabled tool row', await state(first), '| healthy tool row', await state(last), '| audit records of one stuck call', (await stores.audit.list({ tenant: 'acme', callId: first.facts.callId, limit: 5000 })).length)
})

test('15 a lost wake-up is never found again', async () => {
  const clock = fakeClock()
  const tool = defineTool({ id: 'a.job', ...base, kind: 'async', input: z.object({}), output: out, contract: W, execute: async () => ({ n: 1 }) })
  const stores = memoryStores({ clock })
  let fail = true
  const get = stores.calls.get
  const { runtime } = rt([tool], { clock, stores: { ...stores, calls: { ...stores.calls, get: (t: string, c: string) => { if (fail) { fail = false; throw new ToolError('TOOL_STORAGE_ERROR', 'blip') } return get(t, c) } } } })
  runtime.start()
  const one: any = await runtime.call({ tool: 'a.job', input: {}, caller: ann, surface: 't', idempotencyKey: 'k' })
  await clock.advance(3_600_000)
  L('T15 an hour and 720 sweeps after one failed read:', (await get('acme', one.jobId ?? one.facts.callId))?.state, show(await runtime.answer(ann, one.jobId)))
  await runtime.stop()
})

test('16 zombie result is dropped', async () => {
  const clock = fakeClock()
  let release: any
  const port = definePort<any>('bank', { pay: unrecoverable })
  const tool = defineTool({ id: 'a.pay', ...base, input: z.object({}), output: out, ports: { bank: port }, contract: { ...W, timeout: '10m' }, execute: async ({ ports, signal }: any) => ports.bank.pay({}, signal) })
  const stores = memoryStores({ clock })
  const { runtime } = rt([tool], { clock, leaseMs: 1000, providers: { bank: { pay: () => new Promise((r) => { release = r }) } }, stores: { ...stores, calls: { ...stores.calls, renew: () => false } } })
  const going = runtime.call({ tool: 'a.pay', input: {}, caller: ann, surface: 't', idempotencyKey: 'k' })
  await clock.advance(2_000); await runtime.sweep()
  release({ n: 77 })
  const one: any = await going
  L('T16', show(one), 'row', (await stores.calls.find({ tenant: 'acme', principal: 'ann', toolId: 'a.pay', key: 'k' }))?.state, 'evidence', JSON.stringify(await stores.calls.evidence('acme', one.facts.callId)))
})

test('17 a renewal that throws at once', async () => {
  const clock = fakeClock()
  const seen: unknown[] = []
  const on = (e: unknown) => seen.push(String(e))
  process.on('unhandledRejection', on)
  const tool = defineTool({ id: 'a.pay', ...base, input: z.object({}), output: out, contract: { ...W, timeout: '10m' }, execute: () => new Promise(() => undefined) as any })
  const stores = memoryStores({ clock })
  const { runtime } = rt([tool], { clock, stores: { ...stores, calls: { ...stores.calls, renew: () => { throw new Error('SQLITE_BUSY') } } } })
  void runtime.call({ tool: 'a.pay', input: {}, caller: ann, surface: 't', idempotencyKey: 'k' })
  await clock.advance(11_000); await wait(10)
  L('T17 unhandled rejections:', seen)
  process.off('unhandledRejection', on)
})

test('18 ports by id, versions mixed', async () => {
  const sandbox = definePort<any>('sandbox', { read: 'read' }), live = definePort<any>('live', { read: 'read' })
  const mk = (version: string, port: any) => defineTool({ id: 'a.peek', version, ...base, input: z.object({}), output: z.object({ from: z.string() }), ports: { bank: port }, contract: { effect: 'read' }, execute: async ({ ports, signal }: any) => ports.bank.read({}, signal) })
  const runtime = createRuntime({ packs: [definePack({ name: 'a', tools: [mk('1.0.0', sandbox)] }), definePack({ name: 'b', tools: [mk('2.0.0', live)] })], stores: memoryStores(), providers: { sandbox: { read: async () => ({ from: 'sandbox' }) }, live: { read: async () => ({ from: 'live' }) } } })
  L('T18 @1', show(await runtime.call({ tool: 'a.peek@1', input: {}, caller: ann, surface: 't' })), '| @2', show(await runtime.call({ tool: 'a.peek@2', input: {}, caller: ann, surface: 't' })))
})

test('19 a job of version 1 is done by version 2', async () => {
  const ran: string[] = []
  const mk = (version: string) => defineTool({ id: 'a.job', version, ...base, kind: 'async', input: z.object({}), output: out, contract: W, execute: async () => { ran.push(version); return { n: 1 } } })
  const runtime = createRuntime({ packs: [definePack({ name: 'a', tools: [mk('1.0.0')] }), definePack({ name: 'b', tools: [mk('2.0.0')] })], stores: memoryStores() })
  runtime.start()
  L('T19', show(await runtime.call({ tool: 'a.job@1', input: {}, caller: ann, surface: 't' }))); await wait(30)
  L('T19 asked for @1, ran:', ran); await runtime.stop()
})

test('20 telemetry that throws', async () => {
  let effects = 0
  const tool = defineTool({ id: 'a.pay', ...base, input: z.object({}), output: out, contract: W, execute: async () => ({ n: ++effects }) })
  const { runtime } = rt([tool], { telemetry: { startCall: () => ({ end: () => { throw new Error('exporter down') } }) } })
  L('T20', await runtime.call({ tool: 'a.pay', input: {}, caller: ann, surface: 't', idempotencyKey: 'k' }).then(show, (e) => `call() REJECTED: ${e}`), 'effects', effects)
})

test('21 shared cache with a scoped resource', async () => {
  const tool = defineTool({ id: 'a.mine', ...base, input: z.object({}), output: z.object({ of: z.string() }), contract: { effect: 'read', cache: { ttl: '1m', shared: true }, permissions: { resources: [{ type: 'habit_data', mode: 'read', scope: 'self' }] } }, execute: async ({ caller }) => ({ of: caller.principal }) })
  const { runtime } = rt([tool])
  const call = (p: string) => runtime.call({ tool: 'a.mine', input: {}, caller: { ...ann, principal: p }, surface: 't' })
  L('T21', show(await call('ann')), '| bob sees', show(await call('bob')))
})

test('22 transaction job that keeps failing is tried for ever', async () => {
  const clock = fakeClock()
  let tries = 0
  const tx = defineTransaction('x', async () => { tries++; throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'locked') })
  const tool = defineTool({ id: 'a.job', kind: 'async', ...base, input: z.object({}), output: out, contract: W, transaction: transact(tx, () => ({})) as any })
  const { runtime } = rt([tool], { clock, schema: ['create table pay (x)'] })
  runtime.start()
  await runtime.call({ tool: 'a.job', input: {}, caller: ann, surface: 't', idempotencyKey: 'k' })
  await clock.advance(3_600_000)
  L('T22 tries in an hour:', tries); await runtime.stop()
})

test('23 secret in the question', async () => {
  const tool = defineTool({ id: 'a.pay', ...base, input: z.object({ card: sensitive(z.string()) }), output: out, contract: { ...W, approval: (i: any) => `Charge card ${i.card}?` }, execute: async () => ({ n: 1 }) })
  const { runtime } = rt([tool])
  const one: any = await runtime.call({ tool: 'a.pay', input: { card: '4111111111111111' }, caller: ann, surface: 't', idempotencyKey: 'k' })
  L('T23', one.approval.asks)
})

test('24 an administrator of one tenant changes tools for all', async () => {
  const tool = defineTool({ id: 'a.pay', ...base, input: z.object({}), output: out, contract: W, execute: async () => ({ n: 1 }) })
  const { runtime, stores } = rt([tool])
  const r = await runtime.changes.deprecateTool({ ...root, tenant: 'evil' }, 'a.pay', undefined, { disableFrom: 0 })
  L('T24', r.success, '| acme:', show(await runtime.call({ tool: 'a.pay', input: {}, caller: ann, surface: 't' })), '| records acme sees of the change:', (await stores.audit.list({ tenant: 'acme' })).filter((x) => x.phase === 'change').length)
})

test('25 edits and cancellations leave no record', async () => {
  const tool = defineTool({ id: 'a.pay', ...base, input: z.object({ to: z.string() }), output: out, contract: { ...W, approval: (i: any) => `to ${i.to}?` }, execute: async () => ({ n: 1 }) })
  const { runtime, stores } = rt([tool])
  const call = (k: string): any => runtime.call({ tool: 'a.pay', input: { to: 'bob' }, caller: ann, surface: 't', idempotencyKey: k })
  const one = await call('k')
  const before = (await stores.audit.list({ tenant: 'acme' })).length
  const edited = await runtime.approvals.edit(root, one.approval.id, { to: 'root' })
  L('T25 shown after root edited it:', JSON.parse(edited.shown).asked_by, JSON.parse(edited.shown).asks, '| cancelled', await runtime.cancel(ann, one.facts.callId), '| new audit records', (await stores.audit.list({ tenant: 'acme' })).length - before)
})

test('26 growth', async () => {
  const clock = fakeClock()
  const tool = defineTool({ id: 'a.pay', ...base, input: z.object({ x: z.number() }), output: out, contract: { ...W, approval: () => 'ok?' }, execute: async () => ({ n: 1 }) })
  const { runtime, stores } = rt([tool], { clock })
  for (let i = 0; i < 50; i++) { const o: any = await runtime.call({ tool: 'a.pay', input: { x: i }, caller: ann, surface: 't', idempotencyKey: `k${i}` }); await runtime.approvals.decide(root, o.approval.id, { verdict: 'approve', digest: o.approval.digest }) }
  await clock.advance(400 * 86_400_000)
  L('T26 approvals kept after 400 days:', (await stores.approvals.list('acme')).length)
  let delivered = 0
  const stop = stores.jobs.work(async () => { delivered++ }); await wait(5); await stop()
  L('T26 wake-ups still queued though every call ran at the desk:', delivered)
})

test('27 waiting row with lapsed question when the rule is gone', async () => {
  const clock = fakeClock()
  let policy: any = { version: 1, approvals: [{ tools: '*', kind: 'admin' }] }
  const tool = defineTool({ id: 'a.pay', ...base, input: z.object({}), output: out, contract: W, execute: async () => ({ n: 1 }) })
  const { runtime } = rt([tool], { clock, policyOf: () => policy })
  const call = () => runtime.call({ tool: 'a.pay', input: {}, caller: ann, surface: 't', idempotencyKey: 'k' })
  await call(); await clock.advance(16 * 60_000); policy = { version: 2 }
  const a = show(await call()); await clock.advance(86_400_000)
  L('T27', a, '| a day later', show(await call()))
})
