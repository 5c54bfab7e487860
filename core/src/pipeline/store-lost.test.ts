import { type FakeClock, fakeClock } from '@surehand/conformance'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import type { Outcome } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { definePack } from '../define/pack.ts'
import { definePort, unrecoverable } from '../define/port.ts'
import { defineTool, transact } from '../define/tool.ts'
import { defineTransaction } from '../define/transaction.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import type { Stores } from '../ports/stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { Runtime } from '../runtime/runtime.ts'

type Pay = { readonly pay: (args: unknown, signal: AbortSignal) => Promise<{ n: number }> }

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: [],
  capabilities: [],
}
const blind = definePort<Pay>('pay', { pay: unrecoverable })
const common = {
  title: 'Pay',
  category: 'custom',
  description: 'Pays.',
  input: z.object({ order: z.number().int() }),
  output: z.object({ n: z.number() }),
} as const
const contract = {
  effect: 'writes.order',
  reversible: true,
  idempotency: 'caller',
  timeout: '200ms',
} as const
const outside = defineTool({
  ...common,
  id: 'a.pay',
  contract,
  ports: { pay: blind },
  execute: ({ input, ports, signal }) => ports.pay.pay(input, signal),
})
const later = defineTool({
  ...common,
  id: 'a.later',
  kind: 'async',
  contract,
  ports: { pay: blind },
  execute: ({ input, ports, signal }) => ports.pay.pay(input, signal),
})
const local = defineTool({
  ...common,
  id: 'a.local',
  contract,
  transaction: transact(
    defineTransaction('a.local', async () => ({ n: 1 })),
    () => undefined,
  ),
})

let clock: FakeClock
let stores: Stores
let paid: number
let failPay: ToolError | undefined

beforeEach(() => {
  clock = fakeClock()
  stores = memoryStores({ clock })
  paid = 0
  failPay = undefined
})

const loseStore = (effect?: 'none') => (): never => {
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    'The database is gone.',
    effect === undefined ? {} : { effect },
  )
}

/** A runtime whose store fails in the given methods of its calls until `heal` is called. */
function open(broken: Partial<Stores['calls']>): { runtime: Runtime; heal: () => void } {
  let isBroken = true
  const pick = <K extends keyof Stores['calls']>(name: K): Stores['calls'][K] =>
    (isBroken ? broken[name] : undefined) ?? stores.calls[name]
  const calls = new Proxy(stores.calls, { get: (_target, name) => pick(name as never) })
  const runtime = createRuntime({
    packs: [definePack({ name: 'p', tools: [outside, later, local] })],
    stores: { ...stores, calls },
    clock,
    providers: {
      pay: {
        pay: async () => {
          paid++
          if (failPay !== undefined) throw failPay
          return { n: paid }
        },
      },
    },
  })
  return {
    runtime,
    heal: () => {
      isBroken = false
    },
  }
}

type More = { readonly idempotencyKey?: string; readonly repeat?: 'meant' }

async function call(runtime: Runtime, tool: string, more: More = {}): Promise<Outcome> {
  const coming = runtime.call({ tool, input: { order: 1 }, caller: ann, surface: 'test', ...more })
  await clock.advance(10_000)
  return coming
}

const unknown = (outcome: Outcome) => ({
  status: 'failed',
  error: {
    code: 'TOOL_OUTCOME_UNKNOWN',
    message: expect.stringContaining(outcome.facts.callId),
    details: { call_id: outcome.facts.callId, settled: false },
    suggestions: expect.arrayContaining([
      expect.stringContaining('Do not repeat it with another idempotency key'),
    ]),
  },
})

describe('a store that is lost', () => {
  test('between the effect and its outcome leaves an unknown outcome with the call id', async () => {
    const { runtime } = open({ finish: loseStore() })
    const outcome = await call(runtime, 'a.pay')
    expect(outcome).toMatchObject(unknown(outcome))
    expect(paid).toBe(1)
  })

  test('and says that this write was rolled back, says nothing about the effect before it', async () => {
    const { runtime } = open({ finish: loseStore('none') })
    const outcome = await call(runtime, 'a.pay')
    expect(outcome).toMatchObject(unknown(outcome))
  })

  test.each([
    ['the claim', 'a.pay', { claim: loseStore() }],
    ['the commit', 'a.local', { transact: loseStore() }],
    ['the job', 'a.later', { queue: loseStore() }],
  ])('while %s was written may still do it', async (_what, tool, broken) => {
    const outcome = await call(open(broken).runtime, tool)
    expect(outcome).toMatchObject(unknown(outcome))
  })

  test.each([
    ['the claim', 'a.pay', { claim: loseStore('none') }],
    ['the commit', 'a.local', { transact: loseStore('none') }],
    ['the job', 'a.later', { queue: loseStore('none') }],
  ])('and wrote nothing of %s is a failure of the store', async (_what, tool, broken) => {
    expect(await call(open(broken).runtime, tool)).toMatchObject({
      error: { code: 'TOOL_STORAGE_ERROR' },
    })
    expect(paid).toBe(0)
  })

  test('after a call was accepted does not make it undone', async () => {
    const { runtime } = open({})
    const append = stores.audit.append
    const broken = new ToolError('TOOL_STORAGE_ERROR', 'Gone.', { effect: 'none' })
    Object.assign(stores.audit, { append: () => Promise.reject(broken) })
    const outcome = await call(runtime, 'a.later')
    Object.assign(stores.audit, { append })
    expect(outcome).toMatchObject(unknown(outcome))
  })
})

describe('a write without a key whose outcome is unknown', () => {
  test('is not done again because it is called again', async () => {
    failPay = new ToolError('TOOL_NETWORK_ERROR', 'Reset.')
    const { runtime } = open({})
    const first = await call(runtime, 'a.pay')
    expect(first).toMatchObject({ error: { code: 'TOOL_OUTCOME_UNKNOWN' } })
    expect(await call(runtime, 'a.pay')).toMatchObject({
      error: {
        code: 'TOOL_POSSIBLE_DUPLICATE',
        details: { earlier_call_id: first.facts.callId, earlier_state: 'unknown' },
      },
    })
    expect(paid).toBe(1)
    await call(runtime, 'a.pay', { repeat: 'meant' })
    expect(paid).toBe(2)
  })

  test('is not done again either when its outcome could not be stored', async () => {
    const { runtime, heal } = open({ finish: loseStore() })
    const first = await call(runtime, 'a.pay')
    heal()
    expect(await call(runtime, 'a.pay')).toMatchObject({
      error: {
        code: 'TOOL_POSSIBLE_DUPLICATE',
        details: { earlier_call_id: first.facts.callId },
      },
    })
    expect(paid).toBe(1)
  })

  test('is done again after it is known, and another input at once', async () => {
    const { runtime } = open({})
    await call(runtime, 'a.pay')
    await call(runtime, 'a.pay')
    expect(paid).toBe(2)
  })
})
