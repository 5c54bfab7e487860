import { fakeClock } from '@surehand/conformance'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import { definePack } from '../define/pack.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import type { Stores } from '../ports/stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

const root: Caller = {
  tenant: 'acme',
  principal: 'root',
  actor: 'user',
  roles: ['admin'],
  capabilities: [],
}
const ann: Caller = { ...root, principal: 'ann', roles: ['user'] }

const lamp = (id: string, made: string[]) =>
  defineTool({
    id,
    title: 'Make a lamp',
    category: 'custom',
    description: 'Makes a lamp.',
    input: z.object({ name: z.string() }),
    output: z.object({ name: z.string() }),
    contract: {
      effect: 'writes.lamp',
      reversible: true,
      idempotency: 'caller',
      limits: [{ calls: 1, per: '1m' }],
    },
    execute: async ({ input }) => {
      made.push(input.name)
      return input
    },
  })

/** Nodes over one store. */
function openNodes(nodes = 1, change: (stores: Stores) => Stores = (stores) => stores) {
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  const made: string[] = []
  const packs = [definePack({ name: 'lamps', tools: [lamp('lamps.make', made)] })]
  const runtimes = Array.from({ length: nodes }, () =>
    createRuntime({ packs, stores: change(stores), clock }),
  )
  const make = (node: number, key: string) =>
    runtimes[node]?.call({
      tool: 'lamps.make',
      input: { name: key },
      caller: ann,
      surface: 'test',
      idempotencyKey: key,
    })
  const administer = (value: unknown, expected?: number) =>
    runtimes[0]?.administration.change(root, {
      kind: 'policy',
      id: 'tenant',
      value,
      ...(expected === undefined ? {} : { expected }),
    })
  return { clock, stores, made, make, administer, runtimes }
}

describe('a policy in the store', () => {
  test('holds for the next write of every node, also of one that has not heard of it', async () => {
    const { made, make, administer, clock } = openNodes(2)
    await make(1, 'a')
    await clock.advance(60_000)
    await administer({ disabledTools: ['lamps.*'] })
    expect(await make(1, 'b')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_TEMPORARILY_DISABLED' },
    })
    expect(made).toEqual(['a'])
  })

  test('that requires an approval applies although the call was authorized without one', async () => {
    const { made, make, administer, clock } = openNodes(2)
    await make(1, 'a')
    await clock.advance(60_000)
    await administer({ approvals: [{ tools: 'lamps.make', kind: 'confirm' }] })
    expect(await make(1, 'b')).toMatchObject({ status: 'pending' })
    expect(made).toEqual(['a'])
  })

  test('judged anew, a call takes its quota once', async () => {
    const { made, make, administer, clock } = openNodes(2)
    await make(1, 'a')
    await clock.advance(60_000)
    await administer({ timeouts: [{ tools: '*', maxMs: 5_000 }] })
    // one a minute: counted twice, it would refuse itself
    expect(await make(1, 'b')).toMatchObject({ status: 'done' })
    expect(made).toEqual(['a', 'b'])
  })

  test('that changes with every breath is told as such, and nothing is done', async () => {
    const { made, make } = openNodes(1, (stores) => ({
      ...stores,
      calls: { ...stores.calls, claim: () => ({ kind: 'outdated' }) },
    }))
    expect(await make(0, 'a')).toMatchObject({
      status: 'failed',
      error: {
        code: 'TOOL_RESOURCE_UNAVAILABLE',
        details: { source_code: 'administration_changed' },
      },
    })
    expect(made).toEqual([])
  })

  test('that cannot be read refuses every write', async () => {
    const { made, make } = openNodes(1, (stores) => ({
      ...stores,
      admin: { ...stores.admin, version: () => Promise.reject(new Error('gone')) },
    }))
    expect(await make(0, 'a')).toMatchObject({ status: 'failed' })
    expect(made).toEqual([])
  })

  test('reaches reads within a second or so', async () => {
    const { clock, administer, runtimes } = openNodes(2)
    const look = () => runtimes[1]?.visibleTools(ann)
    await runtimes[1]?.call({ tool: 'lamps.none', input: {}, caller: ann, surface: 'test' })
    await administer({ disabledTools: ['lamps.*'] })
    await clock.advance(1_500)
    await runtimes[1]?.call({ tool: 'lamps.none', input: {}, caller: ann, surface: 'test' })
    await clock.advance(1)
    expect(look()).toEqual([])
  })

  test('holds for the first call to a node that slept, not only for the second', async () => {
    const { clock, administer, runtimes } = openNodes(2)
    expect(await runtimes[1]?.visibleTools(ann)).toHaveLength(1)
    await administer({ disabledTools: ['lamps.*'] })
    await clock.advance(3_600_000)
    expect(await runtimes[1]?.visibleTools(ann)).toEqual([])
  })

  test('that went out of reach since goes on to hold for reads', async () => {
    let isGone = false
    const { clock, administer, runtimes } = openNodes(2, (stores) => ({
      ...stores,
      admin: {
        ...stores.admin,
        version: async (tenant) =>
          isGone ? Promise.reject(new Error('gone')) : stores.admin.version(tenant),
      },
    }))
    await administer({ disabledTools: ['lamps.*'] })
    expect(await runtimes[1]?.visibleTools(ann)).toEqual([])
    isGone = true
    await clock.advance(3_600_000)
    expect(await runtimes[1]?.visibleTools(ann)).toEqual([])
  })

  test('says who may decide on every node at once, also on one that has not read it', async () => {
    const { administer, runtimes, make } = openNodes(3)
    await administer({ approvals: [{ tools: 'lamps.*', kind: 'confirm' }], separateApprover: true })
    const asked = await make(0, 'a')
    if (asked?.status !== 'pending') throw new Error('nobody was asked')
    const yes = { verdict: 'approve', digest: asked.approval.digest } as const
    await expect(runtimes[1]?.approvals.decide(ann, asked.approval.id, yes)).rejects.toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    })
    await expect(
      runtimes[2]?.approvals.edit(ann, asked.approval.id, { name: 'b' }),
    ).rejects.toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    })
  })
})

describe('the desk of administrators', () => {
  test('is for people with the role', async () => {
    const { runtimes } = openNodes()
    const change = { kind: 'policy', id: 'tenant', value: {} } as const
    await expect(runtimes[0]?.administration.change(ann, change)).rejects.toMatchObject({
      code: 'TOOL_ROLE_NOT_AUTHORIZED',
    })
    await expect(
      runtimes[0]?.administration.change({ ...root, actor: 'ai_agent' }, change),
    ).rejects.toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    })
    await expect(runtimes[0]?.administration.list(ann, 'token')).rejects.toMatchObject({
      code: 'TOOL_ROLE_NOT_AUTHORIZED',
    })
  })

  test('takes no policy that it could not read again', async () => {
    const { administer } = openNodes()
    await expect(administer({ disabledTools: 'all' })).rejects.toMatchObject({
      code: 'TOOL_INVALID_INPUT',
      details: { validation_errors: [{ field: 'disabledTools' }] },
    })
    await expect(administer({ disabledToolz: [] })).rejects.toMatchObject({
      code: 'TOOL_INVALID_INPUT',
    })
  })

  test("loses nobody's change, and records who made which", async () => {
    const { administer, stores } = openNodes()
    await administer({ separateApprover: true })
    await expect(administer({ separateApprover: false })).rejects.toMatchObject({
      details: { source_code: 'stale_version', version: 1 },
    })
    expect(await administer({ separateApprover: false }, 1)).toMatchObject({ version: 2 })
    const records = await stores.audit.list({ tenant: 'acme' })
    expect(records.map(({ phase, principal, tool_name }) => [phase, principal, tool_name])).toEqual(
      [
        ['change', 'root', 'policy:tenant'],
        ['change', 'root', 'policy:tenant'],
      ],
    )
  })
})
