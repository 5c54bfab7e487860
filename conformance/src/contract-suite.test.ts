import { createRuntime, definePack, defineTool, memoryStores, type Tool } from '@surehand/core'
import { CanonicalText } from '@surehand/core/internal'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contractCases } from './contract/contract-cases.ts'
import type { OpenContractWorld } from './contract/contract-world.ts'
import { contractSuite, runContractCase } from './contract-suite.ts'
import { fakeClock } from './fake-clock.ts'
import { createEmulator } from './world/emulator.ts'
import { fixturePack } from './world/fixture-pack.ts'
import { COUNT_NOTES, NOTES_SCHEMA } from './world/notes.ts'
import { person } from './world/people.ts'
import { orders, shelf } from './world/ports.ts'
import type { Trouble } from './world/trouble.ts'
import { Made, Order } from './world/writes.ts'

const METHODS = [
  'shelf.look',
  'orders.make',
  'mail.make',
  'mail.find',
  'parcels.make',
  'parcels.find',
  'fax.make',
  'legacy.make',
]

const open: OpenContractWorld = async (tool) => {
  const clock = fakeClock()
  const emulator = createEmulator(clock)
  const stores = memoryStores({ clock, schema: NOTES_SCHEMA })
  // what calls other tools needs them
  const others =
    tool.work.kind === 'run' ? fixturePack.tools.filter(({ id }) => id !== tool.id) : []
  const packs = [definePack({ name: 'one', tools: [tool, ...others] })]
  const runtime = createRuntime({ packs, stores, providers: emulator.providers, clock })
  const meet = (trouble: Trouble | undefined): void => {
    for (const method of METHODS) emulator.always(method, trouble)
  }
  return {
    runtime,
    clock,
    caller: person('ann', { roles: ['admin'], capabilities: ['*'] }),
    effects: async () =>
      emulator.effects.length + Number((await stores.calls.query(COUNT_NOTES))[0]?.notes),
    hang: () => meet({ kind: 'deaf', ms: 3_600_000 }),
    fail: () => meet({ kind: 'status', status: 503 }),
    heal: () => meet(undefined),
    close: async () => void runtime.stop(),
  }
}

const cases = contractSuite(fixturePack, { open })

test('every kind of case is tried by some tool of the fixture pack', () => {
  expect(new Set(cases.map(({ kind }) => kind)).size).toBe(10)
  expect(new Set(cases.map(({ tool }) => tool)).size).toBe(fixturePack.tools.length)
})

test('cases that do not apply are not there', () => {
  const kinds = (id: string) =>
    new Set(cases.filter(({ tool }) => tool === id).map(({ kind }) => kind))
  expect(kinds('shelf.look')).toEqual(new Set(['happy path', 'invalid input', 'timeout']))
  expect(kinds('approve.confirm')).toEqual(
    new Set([
      'happy path',
      'invalid input',
      'timeout',
      'pending',
      'denial',
      'replay',
      'conflict',
      'final answer',
    ]),
  )
  expect(kinds('rights.capability')).toEqual(
    new Set(['happy path', 'invalid input', 'missing permission']),
  )
})

/** The names of the cases that a tool does not pass. */
async function failing(tool: Tool): Promise<readonly string[]> {
  const names: string[] = []
  for (const one of contractCases(tool))
    await runContractCase(one, tool, open).catch(() => names.push(`${one.kind}: ${one.name}`))
  return names
}

const base = {
  title: 'Broken',
  category: 'custom',
  description: 'Does not do what it says.',
  input: Order,
  output: Made,
  ports: { out: orders, shelf },
  contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
  examples: [{ name: 'a lamp', input: { item: 'lamp' } }],
} as const

describe('the suite fails for', () => {
  test('a write that does nothing', async () => {
    const tool = defineTool({
      ...base,
      id: 'broken.idle',
      execute: async ({ input }) => ({ receipt: 'r', item: input.item, extra: null }),
    })
    expect(await failing(tool)).toContain('happy path: its example "a lamp" works')
  })

  test('a read that does something', async () => {
    const tool = defineTool({
      ...base,
      id: 'broken.busy',
      contract: { effect: 'read' },
      execute: ({ input, ports, idempotencyKey, signal }) =>
        ports.out.make({ ...input, key: idempotencyKey }, signal),
    })
    expect(await failing(tool)).toContain('happy path: its example "a lamp" works')
  })

  test('an example that is not valid', async () => {
    const tool = defineTool({
      ...base,
      id: 'broken.example',
      examples: [{ name: 'too many', input: { item: 'lamp', quantity: 1_000 } }],
      execute: ({ input, ports, idempotencyKey, signal }) =>
        ports.out.make({ ...input, key: idempotencyKey }, signal),
    })
    expect(await failing(tool)).toContain('happy path: its example "too many" works')
  })

  test('an output that is not what it declares', async () => {
    const tool = defineTool({
      ...base,
      id: 'broken.output',
      output: z.object({ receipt: z.number() }),
      execute: ({ input, ports, idempotencyKey, signal }) =>
        ports.out.make({ ...input, key: idempotencyKey }, signal) as never,
    })
    expect(await failing(tool)).toEqual(
      expect.arrayContaining([
        'happy path: its example "a lamp" works',
        'replay: the same key answers again and does nothing again',
      ]),
    )
  })

  test('a lenient tool whose output is not what it declares', async () => {
    const tool = defineTool({
      ...base,
      id: 'broken.lenient',
      output: z.object({ receipt: z.number() }),
      contract: { ...base.contract, outputValidation: 'lenient' },
      execute: ({ input, ports, idempotencyKey, signal }) =>
        ports.out.make({ ...input, key: idempotencyKey }, signal) as never,
    })
    expect(await failing(tool)).toContain('happy path: its example "a lamp" works')
  })

  test('a tool without an example', async () => {
    const tool = defineTool({
      ...base,
      id: 'broken.silent',
      examples: [],
      execute: async ({ input }) => ({ receipt: 'r', item: input.item, extra: null }),
    })
    expect(await failing(tool)).toEqual(['happy path: it has an example'])
  })

  test('a fallback that answers in another shape', async () => {
    const tool = defineTool({
      ...base,
      id: 'broken.fallback',
      output: z.object({ item: z.string(), serial: z.number() }),
      contract: { effect: 'read', retries: 0, fallback: () => ({ nothing: true }) as never },
      execute: ({ input, ports, signal }) => ports.shelf.look({ item: input.item }, signal),
    })
    expect(await failing(tool)).toContain(
      'fallback: with a provider that fails it answers what it can, and says so',
    )
  })

  test('a schema that takes what it does not publish', async () => {
    const right = defineTool({
      ...base,
      id: 'broken.schema',
      execute: ({ input, ports, idempotencyKey, signal }) =>
        ports.out.make({ ...input, key: idempotencyKey }, signal),
    })
    const tool: Tool = {
      ...right,
      input: {
        ...right.input,
        parse: (value) => ({ ok: true, value }),
        write: (value) => new CanonicalText(JSON.stringify(value)),
      },
    }
    expect(await failing(tool)).toEqual(
      expect.arrayContaining([
        'invalid input: without item it is refused',
        'invalid input: 7 for item is refused',
      ]),
    )
  })
})
