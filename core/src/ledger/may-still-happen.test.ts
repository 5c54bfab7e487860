import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Envelope, toEnvelope } from '../call/envelope.ts'
import { ToolError } from '../call/tool-error.ts'
import { definePort, sameKey } from '../define/port.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

type Vendor = { readonly make: (args: unknown, signal: AbortSignal) => Promise<unknown> }

const ANN = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: [],
  capabilities: [],
} as const

/** A calendar that refuses connections, hangs or works, behind a tool that asks a person first. */
function openWorld() {
  const clock = fakeClock()
  let mood: 'refuses' | 'hangs' | 'works' = 'works'
  let made = 0
  const vendor = definePort<Vendor>('vendor', { make: sameKey({ validFor: '1d' }) })
  const tool = defineTool({
    id: 'calendar.write',
    title: 'Write',
    category: 'custom',
    description: 'Writes an event.',
    input: z.object({}),
    output: z.object({ made: z.number() }),
    contract: {
      effect: 'writes.calendar',
      reversible: true,
      idempotency: 'caller',
      approval: () => 'Write it?',
      timeout: '10s',
      retries: 0,
    },
    ports: { vendor },
    execute: ({ ports, signal }) => ports.vendor.make({}, signal) as Promise<{ made: number }>,
  })
  const provider: Vendor = {
    async make() {
      if (mood === 'hangs') await new Promise(() => undefined)
      if (mood === 'refuses')
        throw new ToolError('TOOL_NETWORK_ERROR', 'The connection was refused.', { effect: 'none' })
      return { made: ++made }
    },
  }
  const runtime = createRuntime({
    tools: [tool],
    stores: memoryStores({ clock }),
    providers: { vendor: provider },
    clock,
  })
  const begin = async (withinMs?: number): Promise<Envelope> =>
    toEnvelope(
      await runtime.call({
        tool: tool.id,
        input: {},
        caller: ANN,
        surface: 'test',
        idempotencyKey: 'k',
        ...(withinMs === undefined ? {} : { withinMs }),
      }),
    )
  return {
    clock,
    runtime,
    begin,
    made: () => made,
    set(next: typeof mood) {
      mood = next
    },
    async approve(asked: Envelope): Promise<void> {
      const id = asked.metadata.pending?.approval_id ?? ''
      const { digest } = await runtime.approvals.get(ANN.tenant, id)
      const deciding = runtime.approvals.decide(ANN, id, { verdict: 'approve', digest })
      await clock.advance(20_000)
      await deciding
    },
  }
}

test('a repeated call whose recovery fails and is tried again says that it may still happen', async () => {
  const world = openWorld()
  const asked = await world.begin()
  world.set('refuses')
  await world.approve(asked)
  const repeated = await world.begin()
  expect(repeated).toMatchObject({
    status: 'error',
    error: {
      code: 'TOOL_NETWORK_ERROR',
      message: expect.stringContaining('may still happen'),
      details: { call_id: asked.metadata.call_id, settled: false },
    },
  })
  world.set('works')
  world.runtime.start()
  await world.clock.advance(120_000)
  expect(world.made()).toBe(1)
  const fetched = await world.runtime.answer(ANN, asked.metadata.call_id)
  expect(fetched).toMatchObject({ status: 'done', data: { made: 1 } })
  await world.runtime.stop()
})

test('a repeated call that stops waiting for a recovery says that it may still happen', async () => {
  const world = openWorld()
  const asked = await world.begin()
  world.set('refuses')
  await world.approve(asked)
  world.set('hangs')
  const repeating = world.begin(1_000)
  await world.clock.advance(2_000)
  expect(await repeating).toMatchObject({
    error: {
      code: 'TOOL_EXECUTION_TIMEOUT',
      message: expect.stringContaining('may still happen'),
      details: { call_id: asked.metadata.call_id },
    },
  })
  await world.runtime.stop()
})
