import {
  type BaseCheckpointSaver,
  Command,
  type Interrupt,
  MemorySaver,
  MessagesAnnotation,
  StateGraph,
} from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { AIMessage, type BaseMessage, createAgent, fakeModel, ToolMessage } from 'langchain'
import { expect, test } from 'vitest'
import type { ApprovalRequest } from './ask-person.ts'
import { agent, HOST, openShop, TRUSTING } from './fixtures/shop.ts'
import { edit, no, talk, yes } from './fixtures/talk.ts'
import { tools } from './tool.ts'

const DEAR = { name: 'shop__orderDear', args: { product: 'piano' }, id: 'call_1' }
const BURN = { name: 'shop__burn', args: { product: 'shop' }, id: 'call_1' }
const requestIn = (interrupts: readonly Interrupt[], index = 0) =>
  interrupts[index]?.value as ApprovalRequest

test('an approval of an untrusted host has no effect: the model reads that nothing is done and where it is decided', async () => {
  const { runtime, done } = openShop()
  const { start, resume } = await talk([DEAR], {
    runtime,
    caller: agent,
    host: HOST,
    approvalUrl: () => 'https://approvals.example',
  })
  await start()
  const { reported, envelopes, interrupts } = await resume(yes)
  expect(done).toEqual([])
  expect(interrupts).toEqual([])
  expect(envelopes[0]?.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
  expect(reported[0]).not.toMatchObject({ status: 'error' })
  expect(reported[0]?.text).toMatch(
    /Nothing has been done yet[\s\S]*https:\/\/approvals.example[\s\S]*does not count/,
  )
  expect((await runtime.approvals.list('acme'))[0]?.state).toBe('pending')
})

test('an approval without a host has no effect', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([DEAR], { runtime, caller: agent })
  await start()
  expect((await resume(yes)).envelopes[0]?.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
  expect(done).toEqual([])
})

test('a relayed approval does not run an irreversible action, even if the host is trusted', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([BURN], { runtime, caller: agent, host: HOST })
  await start()
  expect((await resume(yes)).envelopes[0]?.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
  expect(done).toEqual([])
})

test('an edited irreversible action requires approval as well, and a relayed approval does not run it', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([BURN], { runtime, caller: agent, host: HOST })
  await start()
  expect(
    requestIn((await resume(edit('shop__burn', { product: 'chair' }))).interrupts).actionRequests[0]
      .args,
  ).toEqual({
    product: 'chair',
  })
  expect((await resume(yes)).envelopes[0]?.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
  expect(done).toEqual([])
})

test('a graph that is resumed twice with the same approval runs the call once', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
  await start()
  await resume(yes)
  await resume(yes).catch(() => undefined)
  expect(done).toEqual(['1 piano'])
})

test('resuming twice at the same time runs the call once', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { start, resume } = await talk([DEAR], { runtime, caller: agent, host: HOST })
  await start()
  await Promise.allSettled([resume(yes), resume(yes), resume(yes)])
  expect(done).toEqual(['1 piano'])
})

test('resuming a thread from before its decision does not run the call again', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { graph, config } = await graphOf([DEAR], runtime)
  await graph.invoke({ messages: [] }, config)
  const asked = (await graph.getState(config)).config
  await graph.invoke(new Command({ resume: yes }), config)
  await graph.invoke(new Command({ resume: yes }), asked)
  await graph.invoke(null, asked)
  expect(done).toEqual(['1 piano'])
})

test('resuming the same checkpoint again does not turn a rejection into an approval', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { graph, config } = await graphOf([DEAR], runtime)
  await graph.invoke({ messages: [] }, config)
  const asked = (await graph.getState(config)).config
  await graph.invoke(new Command({ resume: no() }), config)
  await graph.invoke(new Command({ resume: yes }), asked)
  expect(done).toEqual([])
})

test('an approval that names another request than the one shown has no effect', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const checkpointer = new MemorySaver()
  const harmless = await talk([{ ...DEAR, args: { product: 'flute' } }], {
    runtime,
    caller: agent,
    host: HOST,
    checkpointer,
    thread: 'a',
  })
  const dear = await talk([DEAR], { runtime, caller: agent, host: HOST, checkpointer, thread: 'b' })
  const shown = requestIn((await dear.start()).interrupts).surehand
  await harmless.start()
  // An attacker who can write checkpoints replaces the id of the request that was shown.
  forge(checkpointer, 'a', (asked) => ({ ...asked, id: shown.id, call_id: shown.call_id }))
  await harmless.resume(yes)
  expect(done).toEqual([])
})

test('an approval in a thread whose checkpoint was forged to name another thread’s request has no effect: its own request is shown again', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const checkpointer = new MemorySaver()
  const flute = await talk([{ ...DEAR, args: { product: 'flute' } }], {
    runtime,
    caller: agent,
    host: HOST,
    checkpointer,
    thread: 'a',
  })
  const yacht = await talk([{ ...DEAR, args: { product: 'yacht' } }], {
    runtime,
    caller: agent,
    host: HOST,
    checkpointer,
    thread: 'b',
  })
  const { id, digest, call_id } = requestIn((await yacht.start()).interrupts).surehand
  await flute.start()
  forge(checkpointer, 'a', (asked) => ({ ...asked, id, digest, call_id }))
  const { interrupts } = await flute.resume(yes)
  expect(done).toEqual([])
  expect(requestIn(interrupts).actionRequests[0].args.product).toBe('flute')
})

test('a thread whose checkpoint was forged to name a finished call does not get the result of that call', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const checkpointer = new MemorySaver()
  const flute = await talk([{ ...DEAR, args: { product: 'flute' } }], {
    runtime,
    caller: agent,
    host: HOST,
    checkpointer,
    thread: 'a',
  })
  const yacht = await talk([{ ...DEAR, args: { product: 'yacht' } }], {
    runtime,
    caller: agent,
    host: HOST,
    checkpointer,
    thread: 'b',
  })
  const { id, digest, call_id } = requestIn((await yacht.start()).interrupts).surehand
  await yacht.resume(yes)
  await flute.start()
  forge(checkpointer, 'a', (asked) => ({ ...asked, id, digest, call_id }))
  const { reported, interrupts } = await flute.resume(yes)
  expect(reported).toEqual([])
  expect(requestIn(interrupts).actionRequests[0].args.product).toBe('flute')
  expect(done).toEqual(['1 yacht'])
})

test('one approval for two open requests counts for neither: both are shown again, and each gets its own', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const both = [DEAR, { ...DEAR, args: { product: 'flute' }, id: 'call_2' }]
  const { start, resume } = await talk(both, { runtime, caller: agent, host: HOST })
  expect((await start()).interrupts).toHaveLength(2)
  const again = await resume(yes)
  expect(done).toEqual([])
  expect(again.interrupts).toHaveLength(2)
  const flute = again.interrupts.find(
    (one) => requestIn([one]).actionRequests[0].args.product === 'flute',
  )
  const piano = again.interrupts.find((one) => one !== flute)
  await resume({ [flute?.id ?? '']: yes, [piano?.id ?? '']: no() })
  expect(done).toEqual(['1 flute'])
})

test('two calls in one node: an approval applies to the request that was shown, whichever call is faster', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const { graph, config } = await graphOf(
    [DEAR, { ...DEAR, args: { product: 'flute' }, id: 'call_2' }],
    runtime,
  )
  const products: unknown[] = []
  let paused: Paused = await graph.invoke({ messages: [] }, config)
  for (let round = 0; paused.__interrupt__ !== undefined && round < 5; round++) {
    const { product } = requestIn(paused.__interrupt__).actionRequests[0].args
    products.push(product)
    paused = await graph.invoke(new Command({ resume: product === 'piano' ? no() : yes }), config)
  }
  expect(products.toSorted()).toEqual(['flute', 'piano'])
  expect(done).toEqual(['1 flute'])
  const reported = paused.messages.filter((message) => ToolMessage.isInstance(message))
  expect(reported.map(({ tool_call_id: id, text }) => `${id} ${text.slice(0, 20)}`)).toEqual([
    'call_1 TOOL_APPROVAL_DENIED',
    'call_2 {"order":"1 flute"}',
  ])
})

test('agents within a graph ask through it, and two of them are told apart even if their tool-call ids are equal', async () => {
  const { runtime, done } = openShop({ policy: TRUSTING })
  const given = await tools(runtime, agent, { host: HOST })
  const shopper = (product: string) => {
    const model = fakeModel()
      .respondWithTools([{ ...DEAR, args: { product } }])
      .respond(new AIMessage('Done.'))
    return createAgent({ model, tools: given }).graph
  }
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('left', shopper('piano'))
    .addNode('right', shopper('flute'))
    .addEdge('__start__', 'left')
    .addEdge('__start__', 'right')
    .compile({ checkpointer: new MemorySaver() })
  const config = { configurable: { thread_id: 'thread 1' } }
  const first: Paused = await graph.invoke({ messages: [] }, config)
  expect(first.__interrupt__).toHaveLength(2)
  const again: Paused = await graph.invoke(new Command({ resume: yes }), config)
  expect(done).toEqual([])
  await graph.invoke(
    new Command({
      resume: Object.fromEntries((again.__interrupt__ ?? []).map(({ id }) => [id, yes])),
    }),
    config,
  )
  expect(done.toSorted()).toEqual(['1 flute', '1 piano'])
})

type Paused = {
  readonly messages: readonly BaseMessage[]
  readonly __interrupt__?: readonly Interrupt[]
}

/** A graph with LangGraph's own `ToolNode`. */
async function graphOf(calls: readonly (typeof DEAR)[], runtime: Parameters<typeof tools>[0]) {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', () => ({
      messages: [
        new AIMessage({
          content: '',
          tool_calls: calls.map((call) => ({ ...call, type: 'tool_call' as const })),
        }),
      ],
    }))
    .addNode('tools', new ToolNode(await tools(runtime, agent, { host: HOST })))
    .addEdge('__start__', 'model')
    .addEdge('model', 'tools')
    .compile({ checkpointer: new MemorySaver() })
  return { graph, config: { configurable: { thread_id: 'thread 1' } } }
}

function forge(
  saver: BaseCheckpointSaver,
  thread: string,
  change: (asked: ApprovalRequest['surehand']) => object,
): void {
  const bare = saver.getTuple.bind(saver)
  saver.getTuple = async (config) => {
    const tuple = await bare(config)
    if (config.configurable?.thread_id !== thread) return tuple
    for (const [, channel, value] of tuple?.pendingWrites ?? []) {
      const shown = value as { readonly value?: { surehand?: unknown } } | undefined
      if (channel === '__interrupt__' && shown?.value !== undefined)
        shown.value.surehand = change(shown.value.surehand as ApprovalRequest['surehand'])
    }
    return tuple
  }
}
