import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import type { Envelope } from '@surehand/core'
import { modelInputSchema } from '@surehand/core/host'
import { AIMessage, createAgent, fakeModel, ToolMessage } from 'langchain'
import { expect, test } from 'vitest'
import { agent, openShop, priceTool } from './fixtures/shop.ts'
import { talk } from './fixtures/talk.ts'
import { PROGRESS_EVENT } from './progress.ts'
import type { LangChainTool } from './tool.ts'
import { tool, tools } from './tool.ts'

const call = (name: string, args: unknown, id = 'call_1') =>
  ({ type: 'tool_call', name, args: args as Record<string, unknown>, id }) as const

function toolNamed(given: readonly LangChainTool[], name: string): LangChainTool {
  const found = given.find((one) => one.name === name)
  if (found === undefined) throw new TypeError(`There is no ${name}.`)
  return found
}

test('a caller gets the tools that it may use, under names that every model accepts, with the schema for models', async () => {
  const { runtime } = openShop()
  const given = await tools(runtime, agent)
  expect(given.map(({ name }) => name)).toContain('shop__price')
  expect(given).toHaveLength((await runtime.visibleTools(agent)).length + 1)
  expect(convertToOpenAITool(toolNamed(given, 'shop__price'))).toEqual({
    type: 'function',
    function: {
      name: 'shop__price',
      description: 'About a shop.',
      parameters: modelInputSchema(priceTool),
    },
  })
})

test('an answer has content for the model, and the envelope as artifact', async () => {
  const { runtime } = openShop()
  const message: ToolMessage = await tool(runtime, agent, priceTool).invoke(
    call('shop__price', { product: 'tea' }),
  )
  expect(message).toMatchObject({
    content: '{"cents":300}',
    status: 'success',
    tool_call_id: 'call_1',
    name: 'shop__price',
  })
  expect(message.artifact).toMatchObject({
    status: 'success',
    command: 'shop.price',
    data: { cents: 300 },
  })
})

test.each([
  ['a wrong type', { product: 7 }],
  ['a missing field', {}],
  ['no object', 'tea'],
  ['nothing', undefined],
])('%s is answered by the runtime, not by the framework', async (_, args) => {
  const { runtime } = openShop()
  const message: ToolMessage = await tool(runtime, agent, priceTool).invoke(
    call('shop__price', args),
  )
  expect(message.status).toBe('error')
  expect((message.artifact as Envelope).error?.code).toMatch(/^TOOL_(INVALID|MISSING)/)
})

test('a failure is returned and not thrown, in a ToolNode too', async () => {
  const { runtime } = openShop()
  const node = new ToolNode(await tools(runtime, agent), { handleToolErrors: false })
  const [message] = (await node.invoke([
    new AIMessage({ content: '', tool_calls: [call('shop__price', { product: 'unicorn' })] }),
  ])) as ToolMessage[]
  expect(message).toMatchObject({
    status: 'error',
    content: expect.stringContaining('TOOL_RESOURCE_NOT_FOUND: There are no unicorns.'),
  })
})

test('invoking a tool with nothing but its input returns the text', async () => {
  const { runtime } = openShop()
  expect(await tool(runtime, agent, priceTool).invoke({ product: 'tea' })).toBe('{"cents":300}')
  expect(await tool(runtime, agent, priceTool).invoke({ product: 'unicorn' })).toContain(
    'TOOL_RESOURCE_NOT_FOUND',
  )
})

test('the thread and the tool-call id are the key: a repeated call is answered, not done again', async () => {
  const { runtime, done } = openShop()
  const order = toolNamed(await tools(runtime, agent), 'shop__order')
  const thread = (id: string) => ({ configurable: { thread_id: id } })
  await order.invoke(call('shop__order', { product: 'tea' }), thread('a'))
  const again: ToolMessage = await order.invoke(
    call('shop__order', { product: 'tea' }),
    thread('a'),
  )
  expect((again.artifact as Envelope).metadata.source).toBe('replayed')
  await order.invoke(call('shop__order', { product: 'tea' }, 'call_2'), thread('a'))
  await order.invoke(call('shop__order', { product: 'tea' }), thread('b'))
  expect(done).toEqual(['tea', 'tea', 'tea'])
})

test('without a thread a tool-call id is no key: models count from one in every run', async () => {
  const { runtime, done } = openShop()
  const order = toolNamed(await tools(runtime, agent), 'shop__order')
  await order.invoke(call('shop__order', { product: 'tea' }))
  await order.invoke(call('shop__order', { product: 'tea' }))
  expect(done).toEqual(['tea', 'tea'])
})

test('the host sets the run, and the options of each call', async () => {
  const { runtime, done } = openShop()
  const heard: string[] = []
  const given = await tools(runtime, agent, {
    run: 'run 1',
    request: ({ tool: { id }, toolCallId }) => ({ requestId: `${id} ${toolCallId}` }),
    onEnvelope: (envelope, toolCallId) => heard.push(`${toolCallId} ${envelope.status}`),
  })
  await toolNamed(given, 'shop__order').invoke(call('shop__order', { product: 'tea' }))
  await toolNamed(given, 'shop__order').invoke(call('shop__order', { product: 'tea' }), {
    configurable: { thread_id: 'another' },
  })
  expect(done).toEqual(['tea'])
  expect(heard).toEqual(['call_1 success', 'call_1 success'])
})

test('without a graph a call that requires approval answers that nothing has been done', async () => {
  const { runtime, done } = openShop()
  const dear = toolNamed(await tools(runtime, agent), 'shop__orderDear')
  const message: ToolMessage = await dear.invoke(call('shop__orderDear', { product: 'piano' }), {
    configurable: { thread_id: 'a' },
  })
  expect(message).toMatchObject({
    status: 'success',
    content: expect.stringMatching(/^Nothing has been done yet[\s\S]*surehand__result/),
  })
  expect(done).toEqual([])
})

test('after the approval the model fetches the answer of the call that waited', async () => {
  const { runtime, done } = openShop()
  const given = await tools(runtime, agent)
  const asked: ToolMessage = await toolNamed(given, 'shop__orderDear').invoke(
    call('shop__orderDear', { product: 'piano' }),
  )
  const [, callId = ''] = /Call: (call_\w+)/.exec(String(asked.content)) ?? []
  const [{ id, digest } = { id: '', digest: '' }] = await runtime.approvals.list('acme', 'pending')
  await runtime.approvals.decide({ ...agent, actor: 'user' }, id, { verdict: 'approve', digest })
  const fetched: ToolMessage = await toolNamed(given, 'surehand__result').invoke(
    call('surehand__result', { call_id: callId, wait_seconds: 0 }),
  )
  expect([done, fetched.status, String(fetched.content)]).toEqual([
    ['1 piano'],
    'success',
    expect.stringContaining('order'),
  ])
})

test('in a graph without a checkpointer it answers the same', async () => {
  const { runtime } = openShop()
  const model = fakeModel()
    .respondWithTools([call('shop__orderDear', { product: 'piano' })])
    .respond(new AIMessage('Done.'))
  const { messages } = await createAgent({ model, tools: await tools(runtime, agent) }).invoke({
    messages: 'Go on.',
  })
  expect(messages.find((message) => ToolMessage.isInstance(message))?.text).toContain(
    'Nothing has been done yet',
  )
})

test('a job is awaited', async () => {
  const { runtime } = openShop()
  runtime.start()
  const { start } = await talk(
    [{ name: 'shop__orderLater', args: { product: 'tea' }, id: 'call_1' }],
    { runtime, caller: agent },
  )
  const { envelopes } = await start()
  await runtime.stop()
  expect(envelopes[0]).toMatchObject({ status: 'success', data: { order: 'tea' } })
})

test('progress reaches the graph’s stream and the listeners of its events', async () => {
  const { runtime } = openShop()
  const model = fakeModel()
    .respondWithTools([call('shop__pack', {})])
    .respond(new AIMessage('Done.'))
  const agentOfAnn = createAgent({ model, tools: await tools(runtime, agent) })
  const events: unknown[] = []
  const callbacks = [
    { handleCustomEvent: (name: string, data: unknown) => events.push({ name, data }) },
  ]
  const streamed: unknown[] = []
  for await (const chunk of await agentOfAnn.stream(
    { messages: 'Go on.' },
    { streamMode: 'custom', callbacks },
  ))
    streamed.push(chunk)
  const reported = {
    type: PROGRESS_EVENT,
    tool: 'shop.pack',
    tool_call_id: 'call_1',
    progress: { fraction: 0.5, message: 'packing' },
  }
  expect(streamed).toEqual([reported])
  expect(events).toEqual([{ name: PROGRESS_EVENT, data: reported }])
})

test('aborting the graph aborts the call', async () => {
  const { runtime, done } = openShop()
  const order = toolNamed(await tools(runtime, agent), 'shop__order')
  const message: ToolMessage = await order.invoke(call('shop__order', { product: 'tea' }), {
    signal: AbortSignal.abort(),
  })
  expect((message.artifact as Envelope).error?.code).toBe('TOOL_CANCELLED')
  expect(done).toEqual([])
})
