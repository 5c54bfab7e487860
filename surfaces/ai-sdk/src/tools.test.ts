import type { Envelope } from '@surehand/core'
import { definitionHash } from '@surehand/core/host'
import { asSchema, convertToModelMessages, generateText, isStepCount, ToolLoopAgent } from 'ai'
import { expect, test } from 'vitest'
import { asks, post, toolParts } from './fixtures/chat.ts'
import { scriptedModel, toolResultsIn } from './fixtures/scripted-model.ts'
import { ann, HOST, openShop, price } from './fixtures/shop.ts'
import { toolApproval } from './tool-approval.ts'
import { isToolCallError } from './tool-call-error.ts'
import { tool, tools } from './tools.ts'

const LOOP = { prompt: 'Go.', stopWhen: isStepCount(3) }
const calls = (name: string, input: unknown, id = 'call-1') =>
  scriptedModel({ calls: [{ id, name, input }] })

test('a caller is offered what it may use, by wire names, and nothing else', async () => {
  const shop = openShop()
  expect(Object.keys(await tools(shop.runtime, ann))).toEqual([
    'shop__burn',
    'shop__order',
    'shop__orderDear',
    'shop__price',
    'surehand__result',
  ])
  shop.policies.set('acme', { version: 2, disabledTools: ['shop.order*'] })
  expect(Object.keys(await tools(shop.runtime, ann))).toEqual([
    'shop__burn',
    'shop__price',
    'surehand__result',
  ])
})

test('the model sees a tool without its key, and the interface sees its metadata', () => {
  const shop = openShop()
  const order = tool(shop.runtime, ann, shop.order)
  expect(order).toMatchObject({
    title: 'Order a product',
    description: 'Orders a product.',
    inputExamples: [{ input: { product: 'tea' } }],
    metadata: {
      surehand: {
        id: 'shop.order',
        version: '1.0.0',
        definitionHash: definitionHash(shop.order),
        effect: 'writes.order',
        reversible: true,
      },
    },
  })
  expect(asSchema(order.inputSchema).jsonSchema).toMatchObject({
    properties: { product: { type: 'string' } },
    required: ['product'],
  })
  expect(JSON.stringify(asSchema(order.inputSchema).jsonSchema)).not.toContain('idempotencyKey')
})

test('a model reads the data, and the host receives the complete envelope', async () => {
  const shop = openShop()
  const model = calls('shop__price', { product: 'tea' })
  const envelopes: [string, Envelope][] = []
  const set = await tools(shop.runtime, ann, {
    onEnvelope: (envelope, id) => envelopes.push([id, envelope]),
  })
  await generateText({ ...LOOP, model, tools: set })
  expect(toolResultsIn(model)).toEqual([{ id: 'call-1', type: 'text', value: '{"amount":3}' }])
  expect(envelopes).toMatchObject([
    ['call-1', { status: 'success', command: 'shop.price', data: { amount: 3 } }],
  ])
})

test('a degraded answer is marked as such, also when the chat is loaded again', async () => {
  const shop = openShop()
  const model = calls('shop__price', { product: 'rare' })
  const messages = await post({ runtime: shop.runtime, caller: ann }, asks('How much?'), model, {
    run: 'chat 1',
  })
  const [part] = toolParts(messages)
  expect(part?.output).toMatchObject({
    status: 'done',
    data: { amount: 4 },
    degraded: true,
    notes: [expect.any(String)],
  })
  const reported = toolResultsIn(model)
  expect(reported).toMatchObject([{ value: expect.stringMatching(/^\{"amount":4\}\nNote: ./) }])
  const later = await convertToModelMessages(messages, { tools: await tools(shop.runtime, ann) })
  const [again] = later.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  expect(again).toMatchObject({ output: { type: 'text', value: reported[0]?.value } })
})

test('a model that sends invalid input reads the code, the problem and what to do, not the SDK’s error', async () => {
  const shop = openShop()
  const model = calls('shop__price', { product: 7 })
  const { steps } = await generateText({
    ...LOOP,
    model,
    tools: { shop__price: tool(shop.runtime, ann, price) },
  })
  const [reported] = toolResultsIn(model)
  expect(reported?.type).toBe('error-text')
  expect(reported?.value).toMatch(/^TOOL_INVALID_[A-Z_]+: .*: product expected string/)
  const errors = steps.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'tool-error' ? [part.error] : [])),
  )
  expect(errors.map((error) => isToolCallError(error) && error.envelope.status)).toEqual(['failed'])
})

test('a call repeated in the same run is the same call; in another run it is a new one', async () => {
  const shop = openShop()
  const make = async (run: string) =>
    generateText({
      model: calls('shop__order', { product: 'tea' }),
      tools: await tools(shop.runtime, ann, { run }),
      prompt: 'Go.',
    })
  const [first, again, other] = [await make('chat 1'), await make('chat 1'), await make('chat 2')]
  expect([first, again, other].map(({ toolResults }) => toolResults[0]?.output)).toMatchObject([
    { data: { order: 'order 1' } },
    { data: { order: 'order 1' } },
    { data: { order: 'order 2' } },
  ])
})

test('without a run there is no key: the same tool-call id is a new call', async () => {
  const shop = openShop()
  const set = await tools(shop.runtime, ann)
  for (const _ of ['once', 'twice'])
    await generateText({
      model: calls('shop__order', { product: 'tea' }),
      tools: set,
      prompt: 'Go.',
    })
  expect(shop.done).toEqual(['tea', 'tea'])
})

test('a host can set the options of each call', async () => {
  const shop = openShop()
  const request = ({ toolCallId }: { readonly toolCallId: string }) => ({
    idempotencyKey: 'wish 7',
    requestId: `request of ${toolCallId}`,
  })
  const set = await tools(shop.runtime, ann, { request })
  for (const id of ['call-1', 'call-2'])
    await generateText({
      model: calls('shop__order', { product: 'tea' }, id),
      tools: set,
      prompt: 'Go.',
    })
  expect(shop.done).toEqual(['tea'])
  const records = await shop.stores.audit.list({ tenant: 'acme' })
  expect(new Set(records.map((record) => record.request_id))).toEqual(
    new Set(['request of call-1', 'request of call-2']),
  )
})

test('the host sets the caller: nothing that a model writes changes it', async () => {
  const shop = openShop()
  const model = calls('shop__order', {
    product: 'tea',
    principal: 'root',
    caller: { principal: 'root', roles: ['admin'] },
  })
  await generateText({
    model,
    tools: await tools(shop.runtime, ann, { run: 'chat 1' }),
    prompt: 'I am root.',
  })
  const records = await shop.stores.audit.list({ tenant: 'acme' })
  expect(new Set(records.map(({ principal, surface }) => `${principal} by ${surface}`))).toEqual(
    new Set(['ann by ai-sdk']),
  )
})

test('an agent of the SDK has the same tools and approval requests', async () => {
  const shop = openShop()
  const options = { run: 'chat 1', host: HOST }
  const model = scriptedModel(
    { calls: [{ id: 'call-1', name: 'shop__price', input: { product: 'lamp' } }] },
    { calls: [{ id: 'call-2', name: 'shop__orderDear', input: { product: 'lamp' } }] },
  )
  const agent = new ToolLoopAgent({
    model,
    tools: await tools(shop.runtime, ann, options),
    toolApproval: toolApproval(shop.runtime, ann, options),
  })
  const { content, response } = await agent.generate({ prompt: 'Get me a lamp.' })
  const [request] = content.filter((part) => part.type === 'tool-approval-request')
  expect(request?.reason).toContain('Order lamp?')
  const yes = {
    type: 'tool-approval-response' as const,
    approvalId: request?.approvalId ?? '',
    approved: true,
  }
  await agent.generate({
    messages: [
      { role: 'user', content: 'Get me a lamp.' },
      ...response.messages,
      { role: 'tool', content: [yes] },
    ],
  })
  expect(shop.done).toEqual(['lamp'])
})

test('stopping a generation stops its call', async () => {
  const shop = openShop()
  const leaving = new AbortController()
  leaving.abort()
  const order = tool(shop.runtime, ann, shop.order, { run: 'chat 1' })
  const call = { toolCallId: 'call-1', messages: [], abortSignal: leaving.signal, context: {} }
  await expect(async () => order.execute?.({ product: 'tea' }, call)).rejects.toMatchObject({
    envelope: { error: { code: 'TOOL_CANCELLED' } },
  })
  expect(shop.done).toEqual([])
})
