import { type FakeClock, fakeClock } from '@surehand/conformance'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import type { Outcome } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Contract } from '../define/contract.ts'
import { definePack } from '../define/pack.ts'
import { definePort, lookUp, sameKey, unrecoverable } from '../define/port.ts'
import { defineTool, type Tool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import type { Stores } from '../ports/stores.ts'
import type { TenantPolicy } from '../registry/policy.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { Runtime, RuntimeOptions } from '../runtime/runtime.ts'

// Each of these bugs was found by review and reproduced.

type Pay = {
  readonly pay: (
    args: { readonly order: number; readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<{ readonly n: number }>
  readonly find: (asked: unknown, signal: AbortSignal) => Promise<{ readonly n: number } | null>
}
type PayTool = Tool<{ readonly order: number }, { readonly n: number }>

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
  session: 's',
}
const admin: Caller = {
  ...ann,
  principal: 'root',
  roles: ['admin'],
  capabilities: ['tools.manage'],
}

let clock: FakeClock
let stores: Stores
let paid: number[]

beforeEach(() => {
  clock = fakeClock()
  stores = memoryStores({ clock })
  paid = []
})

const provider = (over: Partial<Pay> = {}): Pay => ({
  async pay({ order }) {
    paid.push(order)
    return { n: paid.length }
  },
  find: async () => null,
  ...over,
})

const same = definePort<Pay>('pay', { pay: sameKey({ validFor: '24h' }), find: 'read' })
const asked = definePort<Pay>('pay', {
  pay: lookUp({ method: 'find', settle: '50ms' }),
  find: 'read',
})
const blind = definePort<Pay>('pay', { pay: unrecoverable, find: 'read' })

function payTool(
  more: {
    readonly id?: string
    readonly version?: string
    readonly kind?: 'sync' | 'async'
    readonly port?: typeof same
    readonly contract?: Partial<Contract<{ order: number }, { n: number }, never>>
  } = {},
): PayTool {
  return defineTool({
    id: more.id ?? 'a.pay',
    title: 'Pay',
    category: 'custom',
    description: 'Pays an order.',
    version: more.version ?? '1.0.0',
    ...(more.kind === undefined ? {} : { kind: more.kind }),
    input: z.object({ order: z.number().int() }),
    output: z.object({ n: z.number() }),
    contract: {
      effect: 'writes.order',
      reversible: true,
      idempotency: 'caller',
      timeout: '200ms',
      ...more.contract,
    } as Contract<{ order: number }, { n: number }, { pay: Pay }>,
    ports: { pay: more.port ?? same },
    execute: ({ input, ports, idempotencyKey, signal }) =>
      ports.pay.pay({ order: input.order, idempotencyKey }, signal),
  })
}

function open(tools: readonly Tool[], more: Partial<RuntimeOptions> = {}): Runtime {
  return createRuntime({
    packs: [definePack({ name: 'p', tools })],
    stores,
    clock,
    providers: { pay: provider() },
    ...more,
  })
}

const toCode = (outcome: Outcome): unknown =>
  outcome.status === 'failed' ? outcome.error.code : outcome.status
const call = (
  runtime: Runtime,
  tool: string,
  input: unknown,
  more: { readonly idempotencyKey?: string; readonly caller?: Caller } = {},
) => runtime.call({ tool, input, caller: ann, surface: 'test', ...more })

describe('nothing is done twice', () => {
  test('when two calls without a key come at the very same moment', async () => {
    const runtime = open([payTool({ contract: { reversible: false } })])
    const answers = await Promise.all([
      call(runtime, 'a.pay', { order: 1 }),
      call(runtime, 'a.pay', { order: 1 }),
    ])
    expect(answers.map(toCode).sort()).toEqual(['TOOL_POSSIBLE_DUPLICATE', 'done'])
    expect(paid).toEqual([1])
  })

  test('when a request that ignores its signal is still under way and the provider does not know it yet', async () => {
    const slow = provider({
      pay: ({ order }) =>
        new Promise((resolve) => clock.after(260, () => resolve({ n: paid.push(order) }))),
    })
    const runtime = open([payTool({ port: asked, contract: { retries: 2 } })], {
      providers: { pay: slow },
    })
    const answer = call(runtime, 'a.pay', { order: 1 }, { idempotencyKey: 'k' })
    await clock.advance(5_000)
    expect([toCode(await answer), paid]).toEqual(['TOOL_OUTCOME_UNKNOWN', [1]])
  })

  test('when an old look-up returns during a later attempt', async () => {
    const finds: ((found: null) => void)[] = []
    let sends = 0
    const odd = provider({
      pay: ({ order }, signal) =>
        new Promise((_resolve, reject) => {
          if (++sends === 2) paid.push(order)
          // Obeys its signal, so that no request stays under way.
          signal.addEventListener('abort', () =>
            reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
          )
        }),
      // The first look-up ignores its signal, the next one finds nothing at once.
      find: () =>
        finds.length === 0 ? new Promise((resolve) => finds.push(resolve)) : Promise.resolve(null),
    })
    const runtime = open([payTool({ port: asked, contract: { retries: 1 } })], {
      providers: { pay: odd },
    })
    const answer = call(runtime, 'a.pay', { order: 1 }, { idempotencyKey: 'k' })
    await clock.advance(455)
    finds[0]?.(null)
    await clock.advance(10_000)
    const { facts } = await answer
    expect([(await stores.calls.get('acme', facts.callId))?.state, sends]).toEqual([
      'effect_started',
      2,
    ])
  })

  test('when a tool has been replaced since its key was used', async () => {
    const runtime = open([payTool({ id: 'a.old' }), payTool({ id: 'a.fresh' })])
    await call(runtime, 'a.old', { order: 1 }, { idempotencyKey: 'k' })
    runtime.registry.shared.deprecate({
      toolId: 'a.old',
      since: clock.now(),
      replacement: 'a.fresh',
      message: 'a.old is deprecated.',
      redirectFrom: clock.now(),
      disableFrom: undefined,
    })
    const again = await call(runtime, 'a.old', { order: 1 }, { idempotencyKey: 'k' })
    expect([toCode(again), paid]).toEqual(['done', [1]])
  })

  test('by a read that calls a method with an effect', async () => {
    const peek = defineTool({
      id: 'a.peek',
      title: 'Peek',
      category: 'custom',
      description: 'Looks, it says.',
      input: z.object({}),
      output: z.object({ n: z.number() }),
      contract: { effect: 'read', retries: 2 },
      ports: { pay: blind },
      execute: ({ ports, signal }) => ports.pay.pay({ order: 1, idempotencyKey: 'x' }, signal),
    })
    expect([toCode(await call(open([peek]), 'a.peek', {})), paid]).toEqual([
      'TOOL_CONFIGURATION_ERROR',
      [],
    ])
  })
})

describe('an approval request', () => {
  const derived = payTool({
    contract: {
      idempotency: ({ order }) => `order-${order}`,
      approval: ({ order }) => `Pay ${order}?`,
    },
  })

  test('is not edited into an input with another key', async () => {
    const runtime = open([derived])
    const first = await call(runtime, 'a.pay', { order: 1 })
    if (first.status !== 'pending') throw new Error(first.status)
    await expect(
      runtime.approvals.edit(ann, first.approval.id, { order: 2 }),
    ).rejects.toMatchObject({ code: 'TOOL_IDEMPOTENCY_CONFLICT' })
  })

  test('is not decided by its editor where the requester may not decide either', async () => {
    const policy: TenantPolicy = { version: 1, separateApprover: true }
    const runtime = open([payTool({ contract: { approval: ({ order }) => `Pay ${order}?` } })], {
      policyOf: () => policy,
    })
    const first = await call(runtime, 'a.pay', { order: 1 }, { idempotencyKey: 'k' })
    if (first.status !== 'pending') throw new Error(first.status)
    const edited = await runtime.approvals.edit(admin, first.approval.id, { order: 2 })
    expect(JSON.parse(edited.shown)).toMatchObject({ asked_by: 'ann', edited_by: 'root' })
    await expect(
      runtime.approvals.decide(admin, edited.id, { verdict: 'approve', digest: edited.digest }),
    ).rejects.toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    })
  })
})

describe('a call that has begun', () => {
  test('is finished by the tool version it began with', async () => {
    const job = (version: string, n: number) =>
      defineTool({
        id: 'a.job',
        title: 'Job',
        category: 'custom',
        description: 'Works.',
        version,
        kind: 'async',
        input: z.object({}),
        output: z.object({ n: z.number() }),
        contract: { effect: 'read' },
        execute: async () => ({ n }),
      })
    const first = open([job('1.0.0', 1)])
    const accepted = await call(first, 'a.job', {})
    const second = open([job('1.0.0', 1), job('2.0.0', 2)])
    second.start()
    await clock.advance(1_000)
    expect(await second.answer(ann, accepted.facts.callId)).toMatchObject({
      status: 'done',
      data: { n: 1 },
    })
    await second.stop()
  })

  test('that was queued without an approval needs one if the policy requires it now', async () => {
    let policy: TenantPolicy | undefined
    const runtime = open([payTool({ kind: 'async' })], { policyOf: () => policy })
    const accepted = await call(runtime, 'a.pay', { order: 1 }, { idempotencyKey: 'k' })
    policy = { version: 2, approvals: [{ tools: 'a.*', kind: 'admin' }] }
    runtime.start()
    await clock.advance(1_000)
    expect([await runtime.answer(ann, accepted.facts.callId), paid]).toMatchObject([
      { status: 'failed' },
      [],
    ])
    await runtime.stop()
  })

  test('and can no longer be continued does not block the others, and is ended', async () => {
    const reset = provider({
      pay: async ({ order }) =>
        Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET', order })),
    })
    const lost = await call(
      open([payTool()], { providers: { pay: reset } }),
      'a.pay',
      { order: 1 },
      { idempotencyKey: 'k' },
    )
    // As far as this node knows, the tool has been removed.
    const without = open([])
    await without.sweep()
    expect((await stores.calls.get('acme', lost.facts.callId))?.state).toBe('unknown')
    expect(await without.sweep()).toBe(0)
  })
})

test('a claim that the database lost before its effect is reported as not done, not as unknown', async () => {
  const lost = new ToolError('TOOL_STORAGE_ERROR', 'The database went away.', { effect: 'none' })
  // Power failed after the claim, which is written lazily: no effect begins, and the row is gone
  // afterwards.
  const calls = {
    ...stores.calls,
    startEffect: () => Promise.reject(lost),
    finish: () => false,
    get: () => undefined,
  }
  const runtime = open([payTool()], { stores: { ...stores, calls } })
  const outcome = await call(runtime, 'a.pay', { order: 1 }, { idempotencyKey: 'lost-before' })
  expect(outcome).toMatchObject({
    status: 'failed',
    error: { code: 'TOOL_STORAGE_ERROR', message: expect.stringContaining('nothing has happened') },
  })
  expect(paid).toEqual([])
})

describe('an answer', () => {
  test('that is not JSON leaves its write done', async () => {
    const odd = defineTool({
      id: 'a.odd',
      title: 'Odd',
      category: 'custom',
      description: 'Answers oddly.',
      input: z.object({}),
      output: z.any(),
      contract: { effect: 'writes.odd', reversible: true, idempotency: 'caller' },
      execute: async () => ({ at: new Map(), n: 1n }),
    })
    const runtime = open([odd])
    expect(toCode(await call(runtime, 'a.odd', {}, { idempotencyKey: 'k' }))).toBe(
      'TOOL_INVALID_OUTPUT',
    )
    expect(toCode(await call(runtime, 'a.odd', {}, { idempotencyKey: 'k' }))).toBe(
      'TOOL_INVALID_OUTPUT',
    )
  })

  test('of one caller does not change when another caller modifies theirs', async () => {
    const list = defineTool({
      id: 'a.list',
      title: 'List',
      category: 'custom',
      description: 'Lists.',
      input: z.object({}),
      output: z.object({ items: z.array(z.string()) }),
      contract: { effect: 'read', cache: { ttl: '1m' } },
      execute: async () => ({ items: ['a'] }),
    })
    const runtime = open([list])
    const [mine, theirs] = await Promise.all([
      call(runtime, 'a.list', {}),
      call(runtime, 'a.list', {}),
    ])
    if (mine.status === 'done') (mine.data as { items: string[] }).items.push('b')
    expect(theirs).toMatchObject({ data: { items: ['a'] } })
  })

  test('of another principal is visible to administrators, and not to their agents', async () => {
    const runtime = open([payTool()])
    const { facts } = await call(runtime, 'a.pay', { order: 1 }, { idempotencyKey: 'k' })
    expect(await runtime.answer(admin, facts.callId)).toMatchObject({ status: 'done' })
    expect(await runtime.answer({ ...admin, actor: 'ai_agent' }, facts.callId)).toBeUndefined()
  })
})

test('broken telemetry breaks no call', async () => {
  const fail = () => {
    throw new Error('no exporter')
  }
  const runtime = open([payTool()], {
    telemetry: { startCall: () => ({ stage: fail, end: fail }) },
  })
  expect(toCode(await call(runtime, 'a.pay', { order: 1 }, { idempotencyKey: 'k' }))).toBe('done')
})

test('the audit log names the caller who cancelled', async () => {
  const runtime = open([payTool({ kind: 'async' })])
  const { facts } = await call(runtime, 'a.pay', { order: 1 }, { idempotencyKey: 'k' })
  expect(await runtime.cancel(ann, facts.callId)).toBe(true)
  expect(
    (await stores.audit.list({ tenant: 'acme', callId: facts.callId })).map(
      ({ outcome }) => outcome,
    ),
  ).toEqual(['accepted', 'cancelled'])
})
