import { fakeClock } from '@surehand/conformance'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import type { Permissions } from '../define/contract.ts'
import { definePack } from '../define/pack.ts'
import { defineTool, type Tool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { Runtime } from '../runtime/runtime.ts'

const root: Caller = {
  tenant: 'acme',
  principal: 'root',
  actor: 'user',
  roles: ['admin'],
  capabilities: [],
}
const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
  session: 'ann',
}

function tool(
  id: string,
  permissions: Permissions = {},
  audience: 'everyone' | 'steps' = 'everyone',
): Tool {
  return defineTool({
    id,
    title: id,
    category: 'custom',
    description: 'Looks at something.',
    input: z.object({}),
    output: z.object({}),
    contract: { effect: 'read', permissions, audience },
    execute: async () => ({}),
  })
}

const packs = [
  definePack({
    name: 'desk',
    tools: [
      tool('desk.look'),
      tool('desk.count', { capabilities: ['ledger.read'] }),
      tool('desk.close', { roles: ['admin'] }),
    ],
  }),
]

async function idsOf(runtime: Runtime, caller: Caller): Promise<readonly string[]> {
  return (await runtime.visibleTools(caller)).map(({ id }) => id)
}

describe('the tools a caller sees', () => {
  test('are without the parts of other tools where the caller is an agent', async () => {
    const tools = [tool('desk.look'), tool('desk.turn', {}, 'steps')]
    const runtime = createRuntime({ tools, stores: memoryStores() })
    expect(await idsOf(runtime, ann)).toEqual(['desk.look', 'desk.turn'])
    expect(await idsOf(runtime, { ...ann, actor: 'ai_agent' })).toEqual(['desk.look'])
  })

  test('are those its own rights open, although another caller of the tenant sees more', async () => {
    const runtime = createRuntime({ packs, stores: memoryStores() })
    expect(await idsOf(runtime, ann)).toEqual(['desk.look'])
    expect(await idsOf(runtime, { ...ann, capabilities: ['ledger.read'] })).toEqual([
      'desk.count',
      'desk.look',
    ])
    expect(
      await idsOf(runtime, { ...ann, capabilities: ['ledger.read'], scopes: ['habit.*'] }),
    ).toEqual(['desk.look'])
    expect(await idsOf(runtime, { ...root, session: 'root' })).toEqual(['desk.close', 'desk.look'])
  })

  test('are judged by the stored policy from the first look of a process, and by a changed one after it has aged', async () => {
    const clock = fakeClock()
    const stores = memoryStores({ clock })
    const elsewhere = createRuntime({ packs, stores, clock })
    await elsewhere.administration.change(root, {
      kind: 'policy',
      id: 'tenant',
      value: { disabledTools: ['desk.look'] },
    })
    const runtime = createRuntime({ packs, stores, clock })
    expect(await idsOf(runtime, ann)).toEqual([])
    await elsewhere.administration.change(root, {
      kind: 'policy',
      id: 'tenant',
      value: {},
      expected: 1,
    })
    await clock.advance(2_000)
    await runtime.visibleTools(ann)
    await clock.advance(0)
    expect(await idsOf(runtime, ann)).toEqual(['desk.look'])
    expect(await idsOf(runtime, { ...ann, tenant: 'globex' })).toEqual(['desk.look'])
  })

  test('are the same list until something changes, and another when a tool is registered', async () => {
    const runtime = createRuntime({ packs, stores: memoryStores() })
    const first = await runtime.visibleTools(ann)
    expect(await runtime.visibleTools({ ...ann })).toBe(first)
    runtime.registry.shared.add(tool('desk.tidy'))
    expect(await idsOf(runtime, ann)).toEqual(['desk.look', 'desk.tidy'])
  })

  test('close with a time window of the right that opened them', async () => {
    const clock = fakeClock(Date.UTC(2026, 10, 16, 16, 59))
    const runtime = createRuntime({ packs, stores: memoryStores({ clock }), clock })
    const condition = {
      type: 'time_restriction',
      parameters: { start: '09:00', end: '17:00' },
    } as const
    const clerk: Caller = {
      ...ann,
      capabilities: [{ name: 'ledger.read', conditions: [condition] }],
    }
    expect(await idsOf(runtime, clerk)).toEqual(['desk.count', 'desk.look'])
    await clock.advance(60_000)
    expect(await idsOf(runtime, clerk)).toEqual(['desk.look'])
  })
})

describe('the list of thousands of tools', () => {
  const many = definePack({
    name: 'many',
    tools: Array.from({ length: 2_000 }, (_, index) =>
      tool(`many.tool${String(index).padStart(4, '0')}`),
    ),
  })

  test('is made in several turns of the event loop, once for requests that arrive together', async () => {
    const runtime = createRuntime({ packs: [many], stores: memoryStores() })
    let turns = 0
    const count = (): void => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const [one, other] = await Promise.all([runtime.visibleTools(ann), runtime.visibleTools(ann)])
    clearImmediate(next)
    expect(turns).toBeGreaterThanOrEqual(3)
    expect(other).toBe(one)
    expect(one.map(({ id }) => id)).toEqual(many.tools.map(({ id }) => id))
    expect(runtime.visibleTools(ann)).toBe(one)
  })

  test('is made anew for a policy that changes while it is made', async () => {
    const runtime = createRuntime({ packs: [many], stores: memoryStores() })
    await runtime.visibleTools(root)
    const before = runtime.visibleTools(ann)
    await runtime.administration.change(root, {
      kind: 'policy',
      id: 'tenant',
      value: { disabledTools: ['many.*'] },
    })
    expect(await before).toHaveLength(2_000)
    expect(await runtime.visibleTools(ann)).toEqual([])
  })
})
