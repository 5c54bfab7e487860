import { type Caller, createRuntime, defineTool, memoryStores, type Runtime } from '@surehand/core'
import { systemClock } from '@surehand/core/ports'
import { foreignSchemas } from '@surehand/json-schema'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createPrograms } from './programs-api.ts'

const find = (description = 'Finds an offer.', version = '1.0.0') =>
  defineTool({
    id: 'offers.find',
    title: 'Find an offer',
    category: 'custom',
    description,
    version,
    input: z.object({ city: z.string() }),
    output: z.object({ offer: z.string() }),
    contract: { effect: 'read' },
    execute: async ({ input }) => ({ offer: `offer in ${input.city}` }),
  })

function bookInto(booked: string[]) {
  return defineTool({
    id: 'offers.book',
    title: 'Book an offer',
    category: 'custom',
    description: 'Books it.',
    version: '1.0.0',
    input: z.object({ offer: z.string() }),
    output: z.object({ booking: z.string() }),
    contract: { effect: 'writes.booking', reversible: true, idempotency: 'caller' },
    execute: async ({ input }) => {
      booked.push(input.offer)
      return { booking: `booked ${input.offer}` }
    },
  })
}

const trip = (more: object = {}) => ({
  id: 'made.trip',
  title: 'Book a trip',
  description: 'Finds an offer and books it.',
  version: '1.0.0',
  category: 'custom',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: { type: 'string' },
  contract: { effect: 'writes.trip', reversible: true },
  steps: [
    { id: 'find', tool: 'offers.find', input: { city: { $ref: 'input.city' } } },
    { id: 'book', tool: 'offers.book', input: { offer: { $ref: 'steps.find.offer' } } },
  ],
  answer: { $ref: 'steps.book.booking' },
  ...more,
})

const agent: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'ai_agent',
  roles: ['user'],
  capabilities: [],
}
const root: Caller = { ...agent, principal: 'root', actor: 'user', roles: ['admin', 'user'] }

function openWorld() {
  const booked: string[] = []
  const stores = memoryStores()
  const programs = createPrograms({
    admin: stores.admin,
    administration: () => runtime.administration,
    shared: () => runtime.tools(),
    imported: { of: () => [] },
    schemas: foreignSchemas(),
    clock: systemClock(),
    call: (tool, input, caller) => runtime.call({ tool, input, caller, surface: 'dry-run' }),
  })
  const runtime: Runtime = createRuntime({
    tools: [find(), bookInto(booked)],
    stores,
    tenantTools: { ...programs, provider: () => undefined },
  })
  const call = async (idempotencyKey: string) => {
    await runtime.ready('acme')
    return runtime.call({
      tool: 'made.trip',
      input: { city: 'Bergen' },
      caller: root,
      surface: 'test',
      idempotencyKey,
    })
  }
  return { booked, runtime, call, api: programs.api }
}

test('a proposed program is quarantined, dry-run without effects, accepted, and then called', async () => {
  const { api, call, booked } = openWorld()
  const examples = [{ name: 'Bergen', input: { city: 'Bergen' } }]
  const proposed = await api.propose(agent, { program: trip(), examples })
  expect(proposed).toMatchObject({
    state: 'proposed',
    proposed_by: 'ann',
    actor: 'ai_agent',
    parts: [
      { tool: 'offers.find', effect: 'read', state: 'same' },
      { tool: 'offers.book', effect: 'writes.booking', state: 'same' },
    ],
  })
  expect(await call('early')).toMatchObject({
    status: 'failed',
    error: { code: 'TOOL_TEMPORARILY_DISABLED' },
  })
  expect(await api.dryRun(root, 'made.trip', { city: 'Bergen' })).toEqual({
    steps: [
      {
        ...{ path: 'find', how: 'read', tool: 'offers.find', input: { city: 'Bergen' } },
        output: { offer: 'offer in Bergen' },
      },
      {
        ...{ path: 'book', how: 'simulated', tool: 'offers.book' },
        input: { offer: 'offer in Bergen' },
        output: { booking: 'sample' },
      },
    ],
    answer: 'sample',
  })
  expect(booked).toEqual([])
  expect(await api.accept(root, 'made.trip', proposed.digest)).toMatchObject({
    state: 'accepted',
    in_use: { version: '1.0.0', accepted_by: 'root' },
  })
  expect(await call('real')).toMatchObject({ status: 'done', data: 'booked offer in Bergen' })
  expect(booked).toEqual(['offer in Bergen'])
})

test('an accepted program is withdrawn when a tool that it calls changes, until it is accepted again', async () => {
  const { api, call, runtime } = openWorld()
  const { digest } = await api.propose(agent, { program: trip() })
  await api.accept(root, 'made.trip', digest)
  runtime.registry.shared.add(find('Finds an offer, and tells the vendor.', '2.0.0'))
  expect(await call('changed')).toMatchObject({
    status: 'failed',
    error: {
      code: 'TOOL_TEMPORARILY_DISABLED',
      message: expect.stringContaining('offers.find, which it calls, has changed'),
    },
  })
  const view = await api.get(root, 'made.trip')
  expect(view).toMatchObject({
    state: 'withdrawn',
    parts: [{ state: 'changed' }, { state: 'same' }],
  })
  // What was looked at before is not what would be accepted.
  await expect(api.accept(root, 'made.trip', digest)).rejects.toThrow(
    'has changed since you looked',
  )
  await api.accept(root, 'made.trip', view.digest)
  expect(await call('again')).toMatchObject({ status: 'done' })
})

test('a new version waits beside the one in use, and versions are not used twice', async () => {
  const { api, call } = openWorld()
  const first = await api.propose(agent, { program: trip() })
  await api.accept(root, 'made.trip', first.digest)
  const other = { title: 'Book a journey' }
  await expect(api.propose(agent, { program: trip(other) })).rejects.toThrow('as a new version')
  const next = await api.propose(agent, { program: trip({ ...other, version: '1.1.0' }) })
  expect(next).toMatchObject({ state: 'proposed', in_use: { version: '1.0.0' } })
  expect(await call('meanwhile')).toMatchObject({
    status: 'done',
    facts: { schemaVersion: '1.0.0' },
  })
  await api.accept(root, 'made.trip', next.digest)
  expect(await call('then')).toMatchObject({ facts: { schemaVersion: '1.1.0' } })
  expect((await api.get(root, 'made.trip')).former).toMatchObject([{ version: '1.0.0' }])
  await api.remove(root, 'made.trip')
  expect(await call('gone')).toMatchObject({ error: { code: 'TOOL_NOT_FOUND' } })
})

test('agents neither accept nor see what others proposed, and flawed programs are refused', async () => {
  const { api } = openWorld()
  const { digest } = await api.propose(agent, { program: trip() })
  for (const by of [agent, { ...agent, actor: 'user' as const }]) {
    await expect(api.accept(by, 'made.trip', digest)).rejects.toThrow('Only administrators')
    await expect(api.list(by)).rejects.toThrow('Only administrators')
    await expect(api.dryRun(by, 'made.trip', {})).rejects.toThrow('Only administrators')
    await expect(api.remove(by, 'made.trip')).rejects.toThrow('Only administrators')
    await expect(api.get({ ...by, principal: 'eve' }, 'made.trip')).rejects.toThrow(
      'Only administrators',
    )
  }
  expect(await api.get(agent, 'made.trip')).toMatchObject({ state: 'proposed' })
  await expect(api.get({ ...root, tenant: 'globex' }, 'made.trip')).rejects.toThrow(
    'No program called "made.trip" was proposed.',
  )
  await expect(api.propose(agent, { program: trip({ id: 'offers.trip' }) })).rejects.toThrow(
    'made.trip',
  )
  await expect(
    api.propose(agent, { program: trip({ answer: { $ref: 'steps.nothing' } }) }),
  ).rejects.toThrow("can't be taken")
  await expect(api.propose(agent, { program: trip(), more: 1 })).rejects.toThrow(
    'not a proposal of a program',
  )
})
