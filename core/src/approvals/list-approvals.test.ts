import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import { definePack } from '../define/pack.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
  session: 'ann',
}

/** A runtime in which so many calls with an input of so many characters wait for approval. */
async function openWaiting(calls: number, characters: number) {
  const order = defineTool({
    id: 'desk.order',
    title: 'Order',
    category: 'custom',
    description: 'Orders.',
    input: z.object({ text: z.string() }),
    output: z.object({}),
    contract: {
      effect: 'writes.order',
      reversible: false,
      idempotency: 'caller',
      approval: () => 'Order?',
    },
    execute: async () => ({}),
  })
  const stores = memoryStores()
  const reads: number[] = []
  const approvals: typeof stores.approvals = {
    ...stores.approvals,
    list(tenant, state, filter) {
      reads.push(filter?.limit ?? 0)
      return stores.approvals.list(tenant, state, filter)
    },
  }
  const runtime = createRuntime({
    packs: [definePack({ name: 'desk', tools: [order] })],
    stores: { ...stores, approvals },
  })
  for (let index = 0; index < calls; index++)
    await runtime.call({
      tool: 'desk.order',
      input: { text: `${index} ${'x'.repeat(characters)}` },
      caller: ann,
      surface: 'test',
      idempotencyKey: `order-${index}`,
    })
  return { runtime, reads }
}

/** How often the event loop went round while this was done. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = (): void => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await work()
  clearImmediate(next)
  return turns
}

test('large approval requests are read and searched a few at a time, small ones in two reads', async () => {
  const small = await openWaiting(40, 10)
  small.reads.length = 0
  const page = await small.runtime.approvals.pageFor(ann, { limit: 30, after: undefined })
  expect([page.items.length, small.reads]).toEqual([30, [5, 26]])

  const large = await openWaiting(40, 200_000)
  large.reads.length = 0
  const whole = await large.runtime.approvals.pageFor(ann, { limit: 30, after: undefined })
  expect(whole.items.map(({ shown }) => JSON.parse(shown).input.text.split(' ')[0])).toEqual(
    Array.from({ length: 30 }, (_, index) => String(39 - index)),
  )
  expect(Math.max(...large.reads)).toBe(5)
  const rest = await large.runtime.approvals.pageFor(ann, { limit: 30, after: whole.next })
  expect([rest.items.length, rest.next]).toEqual([10, undefined])

  const search = () =>
    large.runtime.approvals.pageFor(ann, { limit: 30, after: undefined, text: 'no such word' })
  expect(await countTurns(search)).toBeGreaterThan(10)
})

test('what waits is read a few at a time where it is large, what expires first at the top', async () => {
  const { runtime, reads } = await openWaiting(12, 400_000)
  reads.length = 0
  const { items, next } = await runtime.approvals.waitingFor(ann, { limit: 50, after: undefined })
  expect([items.length, next]).toEqual([12, undefined])
  expect(items.map(({ expiresAt }) => expiresAt)).toEqual(
    items.map(({ expiresAt }) => expiresAt).toSorted((one, other) => one - other),
  )
  expect(Math.max(...reads)).toBe(5)
})
