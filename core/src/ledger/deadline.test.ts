import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { definePort, unrecoverable } from '../define/port.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import type { Stores } from '../ports/stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

type Vendor = { readonly make: () => Promise<{ n: number }> }
type Held = { readonly port: keyof Stores; readonly method: string }

const DEADLINE_MS = 2_000
const ENDING_MS = 1_000

/** A store in which one method is held until it is let go, as by a long transaction of another. */
function openWorld({ port, method }: Held) {
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  const { promise: isFree, resolve: letGo } = Promise.withResolvers<void>()
  const holding = new Proxy(stores[port] as Record<string, (...args: unknown[]) => unknown>, {
    get: (target, name: string) =>
      name === method
        ? async (...args: unknown[]) => {
            await isFree
            return target[name]?.(...args)
          }
        : target[name],
  })
  let made = 0
  const vendor = definePort<Vendor>('vendor', { make: unrecoverable })
  const form = {
    title: 'Make',
    category: 'custom',
    description: 'Makes something.',
    input: z.object({}),
    output: z.object({ n: z.number() }),
    ports: { vendor },
    execute: ({ ports }: { readonly ports: { readonly vendor: Vendor } }) => ports.vendor.make(),
  } as const
  const contract = {
    effect: 'writes.item',
    reversible: true,
    idempotency: 'caller',
    timeout: '2s',
    retries: 0,
  } as const
  const runtime = createRuntime({
    tools: [
      defineTool({ ...form, id: 'a.now', contract }),
      defineTool({
        ...form,
        id: 'a.limited',
        contract: { ...contract, limits: [{ calls: 9, per: '1h', by: 'tenant' }] },
      }),
      defineTool({ ...form, id: 'a.asked', contract: { ...contract, approval: () => 'Make it?' } }),
      defineTool({ ...form, id: 'a.later', contract, kind: 'async' }),
    ],
    stores: { ...stores, [port]: holding },
    providers: {
      vendor: {
        make: async () => {
          made++
          return { n: made }
        },
      },
    },
    clock,
  })
  const call = (tool: string) =>
    runtime.as({ principal: 'ann' }).call(tool, {}, { idempotencyKey: 'k' })
  return { clock, stores, letGo, call, made: () => made }
}

const UNKNOWN = 'TOOL_OUTCOME_UNKNOWN'
const NOTHING_DONE = 'TOOL_STORAGE_ERROR'

for (const [tool, port, method, code, graceMs] of [
  ['a.now', 'calls', 'claim', UNKNOWN, 0],
  // Nothing was sent, and the key is free again.
  ['a.now', 'calls', 'startEffect', 'TOOL_EXECUTION_TIMEOUT', 0],
  ['a.now', 'calls', 'finish', UNKNOWN, ENDING_MS],
  ['a.limited', 'calls', 'find', NOTHING_DONE, ENDING_MS],
  ['a.limited', 'limits', 'take', NOTHING_DONE, ENDING_MS],
  ['a.asked', 'approvals', 'ask', UNKNOWN, ENDING_MS],
  ['a.later', 'calls', 'queue', UNKNOWN, ENDING_MS],
] as const)
  test(`${tool} is answered at its deadline while ${port}.${method} is held`, async () => {
    const world = openWorld({ port, method })
    const answer = world.call(tool)
    await world.clock.advance(DEADLINE_MS + graceMs)
    expect(await answer).toMatchObject({ status: 'failed', error: { code } })
  })

test('a claim that comes after the answer executes nothing, and frees its key', async () => {
  const world = openWorld({ port: 'calls', method: 'claim' })
  const answer = world.call('a.now')
  await world.clock.advance(DEADLINE_MS)
  const { callId } = (await answer).facts
  world.letGo()
  await world.clock.advance(60_000)
  expect((await world.stores.calls.get('default', callId))?.state).toBe('released')
  expect(world.made()).toBe(0)
})

test('an ending that is written after the answer is the answer of the next call with the key', async () => {
  const world = openWorld({ port: 'calls', method: 'finish' })
  const answer = world.call('a.now')
  await world.clock.advance(DEADLINE_MS + ENDING_MS)
  const { callId } = (await answer).facts
  // Longer than a lease: the claim is held for as long as its ending is tried.
  await world.clock.advance(40_000)
  expect(await world.call('a.now')).toMatchObject({ error: { code: 'TOOL_ALREADY_RUNNING' } })
  world.letGo()
  await world.clock.advance(0)
  expect(await world.stores.calls.get('default', callId)).toMatchObject({ state: 'succeeded' })
  expect(await world.call('a.now')).toMatchObject({ status: 'done', source: 'replayed' })
  expect(world.made()).toBe(1)
})
