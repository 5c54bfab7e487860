import { fakeClock } from '@surehand/conformance'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { definePort, lookUp, type Recovery, sameKey, unrecoverable } from '../define/port.ts'
import { defineTool, transact } from '../define/tool.ts'
import { defineTransaction } from '../define/transaction.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import type { Stores } from '../ports/stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { failStrayCall } from './stray-errors.ts'

// As the app does: the handlers of the process belong to no runtime.
const strays: { readonly thrown: unknown; readonly callId: string | undefined }[] = []
const onStray = (thrown: unknown): void => {
  strays.push({ thrown, callId: failStrayCall(thrown) })
}
let others: NodeJS.UnhandledRejectionListener[] = []
let otherExceptions: NodeJS.UncaughtExceptionListener[] = []

beforeEach(() => {
  others = process.listeners('unhandledRejection')
  otherExceptions = process.listeners('uncaughtException')
  process.removeAllListeners('unhandledRejection').removeAllListeners('uncaughtException')
  process.on('unhandledRejection', onStray).on('uncaughtException', onStray)
})

afterEach(() => {
  process.removeListener('unhandledRejection', onStray).removeListener('uncaughtException', onStray)
  for (const listener of others) process.on('unhandledRejection', listener)
  for (const listener of otherExceptions) process.on('uncaughtException', listener)
  strays.length = 0
})

const LEFT_BEHIND: Readonly<Record<string, () => void>> = {
  'a forgotten promise': () => void Promise.reject(new Error('forgotten')),
  'a timer': () => void setTimeout(() => raise('timer'), 1),
  'a microtask': () => queueMicrotask(() => raise('microtask')),
  'a promise that rejects later': () =>
    void new Promise<void>((resolve) => setTimeout(resolve, 1)).then(() => raise('later')),
}

function raise(message: string): never {
  throw new Error(message)
}

type Vendor = { readonly make: () => Promise<object>; readonly find: () => Promise<object | null> }
const NEVER = new Promise<never>(() => undefined)

/** A write whose code leaves an error behind before or after its effect, and then never returns. */
function openWorld(leaveBehind: () => void, when: 'before' | 'after', recovery: Recovery) {
  const made: object[] = []
  const tool = defineTool({
    id: 'poison.make',
    title: 'Make',
    category: 'custom',
    description: 'Makes something.',
    input: z.object({}),
    output: z.object({}),
    contract: {
      effect: 'writes.item',
      reversible: true,
      idempotency: 'caller',
      timeout: '1m',
      retries: 0,
    },
    ports: { vendor: definePort<Vendor>('vendor', { make: recovery, find: 'read' }) },
    async execute({ ports }) {
      if (when === 'before') leaveBehind()
      else {
        await ports.vendor.make()
        leaveBehind()
      }
      return NEVER
    },
  })
  const vendor: Vendor = {
    async make() {
      made.push({})
      return {}
    },
    find: async () => made[0] ?? null,
  }
  const errors: unknown[] = []
  const runtime = createRuntime({
    tools: [tool],
    stores: memoryStores(),
    providers: { vendor },
    strayErrors: 'trace',
    onUnexpectedError: (error) => void errors.push(error),
  })
  return {
    made,
    errors,
    call: () => runtime.as({ principal: 'ann' }).call('poison.make', {}, { idempotencyKey: 'k' }),
  }
}

for (const [name, leaveBehind] of Object.entries(LEFT_BEHIND))
  test(`${name} fails its own call, which had no effect and can be repeated`, async () => {
    const world = openWorld(leaveBehind, 'before', unrecoverable)
    const outcome = await world.call()
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'TOOL_INTERNAL_ERROR' } })
    expect(strays).toMatchObject([{ callId: outcome.facts.callId }])
    expect(world.made).toEqual([])
    // The key is free: the second call is executed as well.
    expect((await world.call()).facts.callId).not.toBe(outcome.facts.callId)
    expect(strays.length).toBe(2)
  })

for (const [recovery, kind] of [
  [sameKey({ validFor: '1d' }), 'sameKey'],
  [lookUp({ method: 'find' }), 'lookUp'],
  [unrecoverable, 'none'],
] as const)
  test(`a promise that is forgotten after the effect leaves the call done, with its raw output (${kind})`, async () => {
    const world = openWorld(() => void Promise.reject(new Error('late')), 'after', recovery)
    expect(await world.call()).toMatchObject({ error: { code: 'TOOL_INVALID_OUTPUT' } })
    expect(await world.call()).toMatchObject({ source: 'replayed' })
    expect(world.made.length).toBe(1)
  })

test('an error that no call left behind is attributed to none', async () => {
  void Promise.reject(new Error('ours'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(strays).toMatchObject([{ callId: undefined }])
})

test('a statement that a transaction did not await rolls it back when it fails, and ends no process', async () => {
  const forgetful = defineTransaction('a.forget', async (tx) => {
    await tx.run('insert into items (name) values (?)', 'one')
    void tx.run('insert into nothing (name) values (?)', 'two')
    return {}
  })
  const runtime = createRuntime({
    tools: [
      defineTool({
        id: 'a.forget',
        title: 'Forget',
        category: 'custom',
        description: 'Forgets to await.',
        input: z.object({}),
        output: z.object({}),
        contract: { effect: 'writes.item', reversible: true, idempotency: 'caller' },
        transaction: transact(forgetful, () => ({})),
      }),
    ],
    stores: memoryStores({ schema: ['create table items (name text)'] }),
    strayErrors: 'trace',
    onUnexpectedError: () => undefined,
  })
  const outcome = await runtime
    .as({ principal: 'ann' })
    .call('a.forget', {}, { idempotencyKey: 'k' })
  await new Promise((resolve) => setImmediate(resolve))
  expect([outcome.status, strays]).toEqual(['failed', []])
})

/** A node that dies, as the store sees it, as soon as it has begun its effect. */
function dyingNode(stores: Stores, clock: ReturnType<typeof fakeClock>, when: 'claimed' | 'sent') {
  const calls: Stores['calls'] = {
    ...stores.calls,
    renew: () => NEVER,
    finish: () => NEVER,
    ...(when === 'claimed' ? { startEffect: () => NEVER } : {}),
  }
  return poisonedNode({ ...stores, calls }, clock)
}

function poisonedNode(stores: Stores, clock: ReturnType<typeof fakeClock>) {
  const tool = defineTool({
    id: 'poison.make',
    title: 'Make',
    category: 'custom',
    description: 'Makes something.',
    input: z.object({}),
    output: z.looseObject({}),
    contract: { effect: 'writes.item', reversible: true, idempotency: 'caller', timeout: '1s' },
    ports: {
      vendor: definePort<Vendor>('vendor', { make: sameKey({ validFor: '1d' }), find: 'read' }),
    },
    execute: async ({ ports }) => ({ ...(await ports.vendor.make()) }),
  })
  const vendor: Vendor = { make: async () => ({}), find: async () => null }
  const runtime = createRuntime({ tools: [tool], stores, providers: { vendor }, clock })
  return runtime.as({ principal: 'ann' })
}

for (const when of ['claimed', 'sent'] as const)
  test(`a call that was in hand at two deaths is quarantined with its evidence (${when})`, async () => {
    const clock = fakeClock()
    const stores = memoryStores({ clock })
    const call = (node: ReturnType<typeof poisonedNode>) =>
      node.call('poison.make', {}, { idempotencyKey: 'k' })
    for (let death = 0; death < 2; death++) {
      void call(dyingNode(stores, clock, when))
      await clock.advance(31_000)
    }
    const outcome = await call(poisonedNode(stores, clock))
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_OUTCOME_UNKNOWN', details: { source_code: 'quarantined', deaths: 2 } },
    })
    const callId = String(outcome.status === 'failed' && outcome.error.details?.call_id)
    expect(await stores.calls.evidence('default', callId)).toMatchObject([{ what: 'quarantine' }])
  })
