import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { definePort, lookUp, type Recovery, sameKey, unrecoverable } from '../define/port.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import type { Clock } from '../ports/clock.ts'
import type { Stores } from '../ports/stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

type Vendor = {
  readonly make: (args: unknown, signal: AbortSignal) => Promise<unknown>
  readonly find: (args: unknown, signal: AbortSignal) => Promise<unknown>
}

const SECOND = 1_000
const CALLER = { principal: 'ann' }
const RECOVERIES: Readonly<Record<string, Recovery>> = {
  sameKey: sameKey({ validFor: '1d' }),
  lookUp: lookUp({ method: 'find', settle: '20s' }),
  none: unrecoverable,
}

/** Nodes whose vendor answers when it is told to, on a wall clock that can be set by itself. */
function openWorld(recovery: Recovery) {
  const clock = fakeClock()
  const wall = { shiftMs: 0, rate: 1 }
  const startedAt = clock.now()
  const now = (): number => startedAt + wall.shiftMs + (clock.now() - startedAt) * wall.rate
  const stores = memoryStores({ clock: { ...clock, now } })
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
  const made: number[] = []
  const requests: number[] = []

  function node(boot: string | undefined, ofNode: (stores: Stores) => Stores = (same) => same) {
    const nodeClock: Clock = { ...clock, now, boot }
    const vendor = definePort<Vendor>('vendor', { make: recovery, find: 'read' })
    const tool = defineTool({
      id: 'parcels.ship',
      title: 'Ship',
      category: 'custom',
      description: 'Ships a parcel.',
      input: z.object({}),
      output: z.object({ receipt: z.number() }),
      contract: {
        effect: 'writes.parcel',
        reversible: true,
        idempotency: 'caller',
        timeout: '5m',
        retries: 0,
      },
      ports: { vendor },
      execute: ({ ports, signal }) => ports.vendor.make({}, signal) as Promise<{ receipt: number }>,
    })
    const provider: Vendor = {
      async make() {
        requests.push(clock.now())
        await isAnswered
        made.push(clock.now())
        return { receipt: made.length }
      },
      find: async () => (made.length === 0 ? null : { receipt: made.length }),
    }
    const runtime = createRuntime({
      tools: [tool],
      stores: ofNode(stores),
      providers: { vendor: provider },
      clock: nodeClock,
    })
    return {
      start: () => runtime.start(),
      stop: () => runtime.stop(),
      call: () => runtime.as(CALLER).call('parcels.ship', {}, { idempotencyKey: 'k' }),
    }
  }
  return { clock, wall, node, answer, made, requests }
}

/** A store whose writes are lost from now on, as those of a process that has died. */
function mortal() {
  let isDead = false
  const never = new Promise<never>(() => undefined)
  const stores = ({ calls, ...rest }: Stores): Stores => ({
    ...rest,
    calls: {
      ...calls,
      renew: (...args) => (isDead ? never : calls.renew(...args)),
      finish: (...args) => (isDead ? never : calls.finish(...args)),
    },
  })
  return {
    stores,
    die() {
      isDead = true
    },
  }
}

for (const [name, recovery] of Object.entries(RECOVERIES))
  for (const step of [45 * SECOND, 120 * SECOND, -3_600 * SECOND])
    test(`a call that is alive is not recovered after the wall clock was set by ${step / SECOND} s (${name})`, async () => {
      const world = openWorld(recovery)
      const [holder, other] = [world.node('boot'), world.node('boot')]
      holder.start()
      other.start()
      const answer = holder.call()
      await world.clock.advance(2 * SECOND)
      world.wall.shiftMs = step
      await world.clock.advance(40 * SECOND)
      expect(await other.call()).toMatchObject({ error: { code: 'TOOL_ALREADY_RUNNING' } })
      world.answer()
      expect(await answer).toMatchObject({ status: 'done', data: { receipt: 1 } })
      expect(world.made.length).toBe(1)
      await Promise.all([holder.stop(), other.stop()])
    })

for (const boots of [
  ['one', 'one'],
  ['one', 'two'],
  [undefined, undefined],
] as const)
  test(`a call on a store whose clock is ten times too fast is executed once, and recovered when its process dies (${boots.join(', ')})`, async () => {
    const world = openWorld(sameKey({ validFor: '1d' }))
    const dying = mortal()
    const [holder, other] = [world.node(boots[0], dying.stores), world.node(boots[1])]
    other.start()
    // The other node has to have looked at the store's clock before it is wrong.
    await world.clock.advance(6 * SECOND)
    world.wall.rate = 10
    void holder.call()
    await world.clock.advance(60 * SECOND)
    expect(world.requests.length).toBe(1)
    dying.die()
    world.answer()
    await world.clock.advance(66 * SECOND)
    expect(await other.call()).toMatchObject({ status: 'done', source: 'replayed' })
    await other.stop()
  })

test('a dead claim is recovered after the wall clock was set back by an hour', async () => {
  const world = openWorld(sameKey({ validFor: '1d' }))
  const dying = mortal()
  const [holder, other] = [world.node('boot', dying.stores), world.node('boot')]
  other.start()
  void holder.call()
  await world.clock.advance(SECOND)
  dying.die()
  world.wall.shiftMs = -3_600 * SECOND
  world.answer()
  await world.clock.advance(36 * SECOND)
  expect(await other.call()).toMatchObject({ status: 'done', source: 'replayed' })
  await other.stop()
})

test('a request that may still be on its way does not count as lost because the clock was set', async () => {
  const world = openWorld(lookUp({ method: 'find', settle: '20s' }))
  const dying = mortal()
  const [holder, other] = [world.node('boot', dying.stores), world.node('boot')]
  void holder.call()
  await world.clock.advance(20 * SECOND)
  dying.die()
  world.wall.shiftMs = 120 * SECOND
  await world.clock.advance(SECOND)
  expect(await other.call()).toMatchObject({ error: { code: 'TOOL_ALREADY_RUNNING' } })
  expect(world.made).toEqual([])
})
