import { fakeClock, settle } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { toEnvelope } from '../call/envelope.ts'
import { type ForeignCall, foreignPort, foreignTool } from '../define/foreign-tool.ts'
import { definePack } from '../define/pack.ts'
import { zodSchema } from '../define/schema.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import type { TenantTool, TenantTools } from '../ports/tenant-tools.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

const ann = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['admin', 'user'],
  capabilities: ['*'],
} as const
const bob = { ...ann, tenant: 'other', principal: 'bob' }

const openShop = defineTool({
  id: 'shop.open',
  title: 'Is it open?',
  category: 'custom',
  description: 'Says whether the shop is open.',
  input: z.object({}),
  output: z.object({ open: z.boolean() }),
  contract: { effect: 'read' },
  execute: async () => ({ open: true }),
})

const port = foreignPort('notes of acme', { keysValidFor: '1d' })

// a reader of schemas that takes any object: who reads them has tests of its own
const schemas = { compile: () => zodSchema(z.looseObject({})) }

function note(description = 'Writes a note.', id = 'notes.write') {
  const input = { type: 'object', properties: { text: { type: 'string' } } } as const
  return foreignTool(
    {
      id,
      title: 'Write a note',
      description,
      input,
      output: { type: 'object' },
      contract: { effect: 'writes.note', reversible: true, idempotency: 'caller' },
      port,
      by: 'writeOnce',
    },
    schemas,
  )
}

function openRuntime(first: readonly TenantTool[]) {
  let list = first
  const calls: ForeignCall[] = []
  const loads: string[] = []
  const provider = {
    read: async () => ({}),
    write: async () => ({}),
    writeOnce: async (call: ForeignCall) => {
      calls.push(call)
      return { written: calls.length }
    },
  }
  const tenantTools: TenantTools = {
    load: async (tenant) => {
      loads.push(tenant)
    },
    of: (tenant) => (tenant === 'acme' ? list : NOTHING),
    provider: (name) => (name === port.name ? { port, provider } : undefined),
  }
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  const runtime = createRuntime({
    packs: [definePack({ name: 'shop', tools: [openShop] })],
    stores,
    clock,
    tenantTools,
  })
  return {
    runtime,
    calls,
    loads,
    clock,
    bring(next: readonly TenantTool[]) {
      list = next
    },
  }
}

const NOTHING: readonly TenantTool[] = []

test('what a tenant brought is called through the same line as any tool, once a key', async () => {
  const { runtime, calls } = openRuntime([{ tool: note(), quarantineReason: undefined }])
  const ask = {
    tool: 'notes.write',
    input: { text: 'milk' },
    caller: ann,
    surface: 'test',
    idempotencyKey: 'k-1',
  }
  const first = toEnvelope(await runtime.call(ask))
  const second = toEnvelope(await runtime.call({ ...ask, tool: 'notes__write' }))
  expect([first.data, second.data, second.metadata.source]).toEqual([
    { written: 1 },
    { written: 1 },
    'replayed',
  ])
  expect(calls.map(({ tool, input, caller }) => ({ tool, input, by: caller.principal }))).toEqual([
    { tool: 'notes.write', input: { text: 'milk' }, by: 'ann' },
  ])
})

test('another tenant does not see it, and a call of it finds nothing', async () => {
  const { runtime } = openRuntime([{ tool: note(), quarantineReason: undefined }])
  const visible = async (caller: typeof ann | typeof bob) =>
    (await runtime.visibleTools(caller)).map(({ id }) => id)
  expect(await visible(ann)).toEqual(['notes.write', 'shop.open'])
  expect(await visible(bob)).toEqual(['shop.open'])
  const refused = toEnvelope(
    await runtime.call({ tool: 'notes.write', input: {}, caller: bob, surface: 'test' }),
  )
  expect(refused.error?.code).toBe('TOOL_NOT_FOUND')
  expect(runtime.tools().map(({ id }) => id)).toEqual(['shop.open'])
})

test('what is held back is not listed, and says why when it is called', async () => {
  const { runtime, calls } = openRuntime([
    { tool: note(), quarantineReason: 'its description has changed.' },
  ])
  expect((await runtime.visibleTools(ann)).map(({ id }) => id)).toEqual(['shop.open'])
  const refused = toEnvelope(
    await runtime.call({ tool: 'notes.write', input: {}, caller: ann, surface: 'test' }),
  )
  expect([refused.error?.code, refused.error?.message]).toEqual([
    'TOOL_TEMPORARILY_DISABLED',
    'notes.write is quarantined: its description has changed.',
  ])
  expect(calls).toEqual([])
})

test('an imported tool does not replace a shared tool of the same name', async () => {
  const { runtime } = openRuntime([
    { tool: note('An impostor.', 'shop.open'), quarantineReason: undefined },
  ])
  const answer = toEnvelope(
    await runtime.call({ tool: 'shop.open', input: {}, caller: ann, surface: 'test' }),
  )
  expect([answer.data, runtime.tools('acme').length]).toEqual([{ open: true }, 1])
})

test('when a tenant brings something else, lists made before are good no more', async () => {
  const { runtime, bring } = openRuntime([{ tool: note(), quarantineReason: undefined }])
  expect((await runtime.visibleTools(ann)).length).toBe(2)
  bring([])
  expect((await runtime.visibleTools(ann)).map(({ id }) => id)).toEqual(['shop.open'])
})

test('it is read again when the administration of its tenant has changed, before anybody is judged by that', async () => {
  const { runtime, loads, clock } = openRuntime([])
  await runtime.visibleTools(ann)
  await runtime.administration.change(ann, {
    kind: 'policy',
    id: 'tenant',
    value: { disabledTools: ['none.such'] },
  })
  await clock.advance(5_000)
  await runtime.visibleTools(ann)
  await settle()
  expect(loads).toEqual(['acme', 'acme'])
})
