import { defineTool, type Tool } from '@surehand/core'
import type { HostedCall } from '@surehand/core/host'
import { miniSearchIndex } from '@surehand/discovery'
import { generateText, isStepCount } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { asks, post, respond, toolParts } from './fixtures/chat.ts'
import { scriptedModel, toolResultsIn } from './fixtures/scripted-model.ts'
import { ann, HOST, openShop } from './fixtures/shop.ts'
import { tools } from './tools.ts'

const shelves: readonly Tool[] = Array.from({ length: 50 }, (_, index) =>
  defineTool({
    id: `shelf.look${index}`,
    title: `Look at shelf ${index}`,
    category: 'custom',
    description: `The contents of shelf number ${index}.`,
    input: z.object({}),
    output: z.number(),
    contract: { effect: 'read' },
    execute: async () => index,
  }),
)
const largeShop = () => openShop({ more: shelves, textIndex: miniSearchIndex() })
const OPTIONS = { run: 'chat 1', host: HOST }

type Model = ReturnType<typeof scriptedModel>
const offeredNames = (model: Model) =>
  model.doGenerateCalls.map(({ tools: list = [] }) => list.map(({ name }) => name))

test('with many tools a model sees the search tool, and then the results of the runtime’s index', async () => {
  const shop = largeShop()
  const model = scriptedModel(
    { calls: [{ id: 'call-1', name: 'tools__search', input: { query: 'order something dear' } }] },
    { calls: [{ id: 'call-2', name: 'shop__price', input: { product: 'tea' } }] },
  )
  await generateText({
    model,
    tools: await tools(shop.runtime, ann),
    prompt: 'Go.',
    stopWhen: isStepCount(2),
  })
  const [before, after] = offeredNames(model)
  expect(before).toEqual(['surehand__result', 'tools__search'])
  expect(after).toContain('shop__orderDear')
  expect(after?.length).toBeLessThanOrEqual(7)
})

test('with few tools a model sees all of them, and the host sets the threshold', async () => {
  const shop = largeShop()
  const set = await tools(shop.runtime, ann, { deferOver: 100 })
  expect(Object.values(set).some(({ deferLoading }) => deferLoading)).toBe(false)
  expect(set).not.toHaveProperty('tools__search')
  expect(Object.keys(await tools(shop.runtime, ann, { deferOver: 53 }))).toContain('tools__search')
})

test('without an index the SDK’s own matching is used', async () => {
  const shop = openShop({ more: shelves })
  const model = scriptedModel({
    calls: [{ id: 'call-1', name: 'tools__search', input: { query: 'burn' } }],
  })
  await generateText({
    model,
    tools: await tools(shop.runtime, ann),
    prompt: 'Go.',
    stopWhen: isStepCount(2),
  })
  expect(offeredNames(model).at(-1)).toContain('shop__burn')
})

test('an approval reaches a tool that the model had to search for', async () => {
  const shop = largeShop()
  const people = { runtime: shop.runtime, caller: ann }
  const model = scriptedModel(
    { calls: [{ id: 'call-1', name: 'tools__search', input: { query: 'order something dear' } }] },
    { calls: [{ id: 'call-2', name: 'shop__orderDear', input: { product: 'lamp' } }] },
  )
  const asked = await post(people, asks('Get me a lamp.'), model, OPTIONS)
  await post(people, respond(asked, 'yes'), scriptedModel(), OPTIONS)
  expect(shop.done).toEqual(['lamp'])
})

test('compact: three tools find, describe and call all others, and one fetches answers', async () => {
  const shop = largeShop()
  const set = await tools(shop.runtime, ann, { ...OPTIONS, mode: 'compact' })
  expect(Object.keys(set)).toEqual([
    'tools__search',
    'tools__describe',
    'tools__call',
    'surehand__result',
  ])
  const model = scriptedModel(
    { calls: [{ id: 'call-1', name: 'tools__search', input: { query: 'price of a product' } }] },
    { calls: [{ id: 'call-2', name: 'tools__describe', input: { name: 'shop__price' } }] },
    {
      calls: [
        {
          id: 'call-3',
          name: 'tools__call',
          input: { name: 'shop__price', arguments: { product: 'tea' } },
        },
      ],
    },
  )
  const { steps } = await generateText({
    model,
    tools: set,
    prompt: 'Go.',
    stopWhen: isStepCount(4),
  })
  const [found, described] = steps.flatMap(({ toolResults }) =>
    toolResults.map(({ output }) => output),
  )
  expect(found).toMatchObject({
    tools: expect.arrayContaining([{ name: 'shop__price', description: 'Look up a price' }]),
  })
  expect(described).toMatchObject({
    name: 'shop__price',
    inputSchema: { required: ['product'] },
    examples: [{ product: 'tea' }],
  })
  expect(toolResultsIn(model).at(-1)).toEqual({ id: 'call-3', type: 'text', value: '{"amount":3}' })
})

test('compact: a called tool keeps its own contract: approval, idempotency and answer', async () => {
  const shop = largeShop()
  const people = { runtime: shop.runtime, caller: ann }
  const set = await tools(shop.runtime, ann, { ...OPTIONS, mode: 'compact' })
  const input = { name: 'shop__orderDear', arguments: { product: 'lamp' } }
  const asked = await post(
    people,
    asks('Get me a lamp.'),
    scriptedModel({ calls: [{ id: 'call-1', name: 'tools__call', input }] }),
    {
      ...OPTIONS,
      tools: set,
    },
  )
  expect(toolParts(asked)).toMatchObject([
    {
      state: 'approval-requested',
      approval: { requestReason: expect.stringMatching(/^Order lamp\?/) },
    },
  ])
  const sent = respond(asked, 'yes')
  for (const _ of ['once', 'twice'])
    await post(people, sent, scriptedModel(), { ...OPTIONS, tools: set })
  expect(shop.done).toEqual(['lamp'])
})

test.each([
  ['shop.order', 'done'],
  ['shop__order', 'done'],
  ['shop.order@1.0.0', 'refused'],
  ['shop__order@1', 'refused'],
  ['nickname', 'done'],
  ['nickname@1.0.0', 'refused'],
  ['SHOP.ORDER', 'refused'],
])('compact: the host’s `request` is called for a tool that runs as %s (%s)', async (name, end) => {
  const done: string[] = []
  const nicknamed = defineTool({
    ...{
      id: 'shop.wrap',
      title: 'Wrap',
      category: 'custom',
      description: 'Wraps a product.',
      aliases: ['nickname'],
    },
    input: z.object({ product: z.string() }),
    output: z.object({}),
    contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
    execute: async ({ input }) => {
      done.push(input.product)
      return {}
    },
  })
  const shop = openShop({ more: [nicknamed] })
  const heard: string[] = []
  const request = ({ tool, input }: HostedCall) => {
    heard.push(tool.id)
    return { idempotencyKey: `wish ${JSON.stringify(input)}` }
  }
  const set = await tools(shop.runtime, ann, { ...OPTIONS, mode: 'compact', request })
  // The same request in two tool calls: only a host that sees both can give them one key.
  const calls = ['call-1', 'call-2'].map((id) => ({
    id,
    name: 'tools__call',
    input: { name, arguments: { product: 'lamp' } },
  }))
  await generateText({
    model: scriptedModel({ calls: calls.slice(0, 1) }, { calls: calls.slice(1) }),
    tools: set,
    prompt: 'Go.',
    stopWhen: isStepCount(3),
  })
  expect([...shop.done, ...done]).toEqual(end === 'done' ? ['lamp'] : [])
  expect(heard).toHaveLength(end === 'done' ? 2 : 0)
})

test.each(['shop.orderDear@1.0.0', 'shop__orderDear@1'])(
  'compact: %s creates no approval request and runs nothing',
  async (name) => {
    const shop = openShop()
    const set = await tools(shop.runtime, ann, { ...OPTIONS, mode: 'compact' })
    const model = scriptedModel({
      calls: [
        { id: 'call-1', name: 'tools__call', input: { name, arguments: { product: 'lamp' } } },
      ],
    })
    const messages = await post({ runtime: shop.runtime, caller: ann }, asks('Go.'), model, {
      ...OPTIONS,
      tools: set,
    })
    expect(toolParts(messages)).toMatchObject([
      { state: 'output-error', errorText: expect.stringMatching(/^TOOL_NOT_FOUND: /) },
    ])
    expect(await shop.runtime.approvals.list('acme')).toEqual([])
  },
)

test('compact: a tool’s approval request is shown in the chat under each of its names', async () => {
  const dear = defineTool({
    ...{
      id: 'shop.ship',
      title: 'Ship',
      category: 'custom',
      description: 'Ships.',
      aliases: ['send'],
    },
    input: z.object({}),
    output: z.object({}),
    contract: {
      effect: 'writes.order',
      reversible: true,
      idempotency: 'caller',
      approval: () => 'Ship?',
    },
    execute: async () => ({}),
  })
  const shop = openShop({ more: [dear] })
  const set = await tools(shop.runtime, ann, { ...OPTIONS, mode: 'compact' })
  const model = scriptedModel({
    calls: [{ id: 'call-1', name: 'tools__call', input: { name: 'send' } }],
  })
  const messages = await post({ runtime: shop.runtime, caller: ann }, asks('Go.'), model, {
    ...OPTIONS,
    tools: set,
  })
  expect(toolParts(messages)).toMatchObject([{ state: 'approval-requested' }])
})

test.each([
  ['a name that is none', { name: 'shop__prise' }, 'TOOL_NOT_FOUND'],
  ['no name at all', { arguments: {} }, 'TOOL_INVALID_INPUT'],
  [
    'an input that does not fit',
    { name: 'shop__price', arguments: { product: 3 } },
    'TOOL_INVALID_FIELD_TYPE',
  ],
])('compact: %s is reported with its own error code', async (_, input, code) => {
  const shop = largeShop()
  const set = await tools(shop.runtime, ann, { mode: 'compact' })
  const model = scriptedModel({ calls: [{ id: 'call-1', name: 'tools__call', input }] })
  const messages = await post({ runtime: shop.runtime, caller: ann }, asks('Go.'), model, {
    ...OPTIONS,
    tools: set,
  })
  expect(toolParts(messages)).toMatchObject([
    { state: 'output-error', errorText: expect.stringMatching(new RegExp(`^${code}: `)) },
  ])
})
