import {
  Command,
  type Interrupt,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  StateGraph,
} from '@langchain/langgraph'
import { AIMessage, createAgent, createMiddleware, fakeModel } from 'langchain'
import { expect, test } from 'vitest'
import type { ApprovalRequest } from './ask-person.ts'
import { agent, HOST, openShop, TRUSTING } from './fixtures/shop.ts'
import { no, yes } from './fixtures/talk.ts'
import { tools } from './tool.ts'

type Paused = { readonly __interrupt__?: readonly Interrupt[] }

const config = { configurable: { thread_id: 'thread 1' } }
const requestIn = ({ __interrupt__: asked = [] }: Paused) => asked[0]?.value as ApprovalRequest
const order = (product: string, id: string) =>
  ({ type: 'tool_call', name: 'shop__orderDear', args: { product }, id }) as const

/** A node that orders, raises its own interrupt, and orders again; it returns the resume value of its own interrupt. */
async function orderAskOrder() {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const dear = (await tools(runtime, agent, { host: HOST })).find(
    ({ name }) => name === 'shop__orderDear',
  )
  const heard: unknown[] = []
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('work', async (_, given) => {
      await dear?.invoke(order('piano', 'call_1'), given)
      heard.push(interrupt('Publish it to everybody?'))
      await dear?.invoke(order('flute', 'call_2'), given)
      return { messages: [] }
    })
    .addEdge('__start__', 'work')
    .compile({ checkpointer: new MemorySaver() })
  const pauseNode = (state: object): Paused => state
  const start = async () => pauseNode(await graph.invoke({ messages: [] }, config))
  const resume = async (said: unknown) =>
    pauseNode(await graph.invoke(new Command({ resume: said }), config))
  return { start, resume, done, heard }
}

test('other code that interrupts after a tool in the same task receives its own value, not the tool’s approval', async () => {
  const { start, resume, heard } = await orderAskOrder()
  await start()
  expect((await resume(yes)).__interrupt__?.[0]?.value).toBe('Publish it to everybody?')
  await resume('no, never')
  expect(heard).toEqual(['no, never'])
})

test('the answer to a tool’s second request is neither used for its first nor for other code', async () => {
  const { start, resume, done, heard } = await orderAskOrder()
  await start()
  await resume(yes)
  expect(requestIn(await resume(yes)).actionRequests[0].args.product).toBe('flute')
  await resume(no())
  expect(done).toEqual(['1 piano'])
  expect(heard.at(-1)).toEqual(yes)
})

test('the same holds if each value is addressed by interrupt id', async () => {
  const { start, resume, done, heard } = await orderAskOrder()
  const to = ({ __interrupt__: asked = [] }: Paused, said: unknown) => ({
    [asked[0]?.id ?? '']: said,
  })
  const first = await start()
  const second = await resume(to(first, yes))
  const third = await resume(to(second, 'no, never'))
  await resume(to(third, no()))
  expect(heard.at(-1)).toBe('no, never')
  expect(done).toEqual(['1 piano'])
})

test('a middleware that interrupts after a tool receives its own value', async () => {
  const { runtime } = openShop({ policy: TRUSTING })
  const heard: unknown[] = []
  const review = createMiddleware({
    name: 'review',
    async wrapToolCall(request, handler) {
      const answer = await handler(request)
      heard.push(interrupt('Show the answer to the model?'))
      return answer
    },
  })
  const model = fakeModel()
    .respondWithTools([order('piano', 'call_1')])
    .respond(new AIMessage('Done.'))
  const built = createAgent({
    model,
    tools: await tools(runtime, agent, { host: HOST }),
    checkpointer: new MemorySaver(),
    middleware: [review],
  })
  await built.invoke({ messages: 'Go on.' }, config)
  await built.invoke(new Command({ resume: yes }), config)
  await built.invoke(new Command({ resume: { allowed: false } }), config)
  expect(heard).toEqual([{ allowed: false }])
})

test('a decision that names its request and is posted twice does not decide the next request', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const model = fakeModel()
    .respondWithTools([order('flute', 'call_1')])
    .respondWithTools([order('yacht', 'call_2')])
    .respond(new AIMessage('Done.'))
  const built = createAgent({
    model,
    tools: await tools(runtime, agent, { host: HOST }),
    checkpointer: new MemorySaver(),
  })
  const first: Paused = await built.invoke({ messages: 'Go on.' }, config)
  const named = { decisions: [{ type: 'approve', id: requestIn(first).surehand.id }] }
  await built.invoke(new Command({ resume: named }), config)
  const again: Paused = await built.invoke(new Command({ resume: named }), config)
  expect(done).toEqual(['1 flute'])
  expect(requestIn(again).actionRequests[0].args.product).toBe('yacht')
  await built.invoke(
    new Command({ resume: { decisions: [{ type: 'approve', id: requestIn(again).surehand.id }] } }),
    config,
  )
  expect(done).toEqual(['1 flute', '1 yacht'])
})
