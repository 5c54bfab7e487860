import { Command, MemorySaver } from '@langchain/langgraph'
import {
  inTranscriptShop,
  type RecordedConversation,
  Recording,
  recordPurchase,
  renderTranscripts,
  type TranscriptShop,
  type Verdict,
} from '@surehand/testing/fixtures/transcript.ts'
import { AIMessage, createAgent, fakeModel, ToolMessage } from 'langchain'
import { expect, test } from 'vitest'
import { tools } from './tool.ts'

/** An agent whose model makes this call, and then ends the conversation. */
async function openAgent(
  { runtime, agent: caller, approvalUrl }: TranscriptShop,
  { name, args, id }: { readonly name: string; readonly args: object; readonly id: string },
  checkpointer?: MemorySaver,
) {
  const call = { type: 'tool_call' as const, id, name, args: { ...args } }
  const model = fakeModel()
    .respond(new AIMessage({ content: '', tool_calls: [call] }))
    .respond(new AIMessage('That is all.'))
  return createAgent({
    model,
    tools: await tools(runtime, caller, { host: 'my app', approvalUrl }),
    ...(checkpointer === undefined ? {} : { checkpointer }),
  })
}

function lastResult(messages: readonly unknown[]): string {
  const result = messages.filter((message) => ToolMessage.isInstance(message)).at(-1)
  return typeof result?.content === 'string' ? result.content : JSON.stringify(result?.content)
}

/** With a checkpointer the graph stops at the approval request, and is resumed after the decision. */
async function recordInterrupt(
  verdict: Verdict,
  shop: TranscriptShop,
): Promise<RecordedConversation> {
  const recording = new Recording()
  const { tool: name, input: args } = recording.ask()
  const agent = await openAgent(shop, { name, args, id: 'call-1' }, new MemorySaver())
  const config = { configurable: { thread_id: `thread ${verdict}` } }
  const { __interrupt__: [interrupt] = [] } = (await agent.invoke(
    { messages: 'Buy two packets of tea.' },
    config,
  )) as { readonly __interrupt__?: readonly { readonly value?: unknown }[] }
  const value = interrupt?.value as { readonly surehand?: { readonly id: string } } | undefined
  recording.person(
    `The graph is interrupted, and the model is not asked again. ${await shop.decide(verdict)} Then the app resumes the graph.`,
  )
  const decision = { type: verdict === 'approve' ? 'approve' : 'reject', id: value?.surehand?.id }
  const { messages } = await agent.invoke(
    new Command({ resume: { decisions: [decision] } }),
    config,
  )
  recording.reads(lastResult(messages))
  return recording.end(verdict === 'approve' ? 'Approved' : 'Denied')
}

function recordLoop(verdict: Verdict, shop: TranscriptShop): Promise<RecordedConversation> {
  let calls = 0
  return recordPurchase(verdict, shop, async (name, args) => {
    const agent = await openAgent(shop, { name, args, id: `${verdict}-${++calls}` })
    return lastResult((await agent.invoke({ messages: 'Buy two packets of tea.' })).messages)
  })
}

test('the transcripts of the documentation are what a model reads in LangChain', async () => {
  const record = async (how: typeof recordLoop): Promise<readonly RecordedConversation[]> => [
    await inTranscriptShop((shop) => how('approve', shop)),
    await inTranscriptShop((shop) => how('deny', shop)),
  ]
  const page = renderTranscripts({
    title: 'Transcripts: LangChain and LangGraph',
    about:
      'What a model reads of a purchase that a person must approve, with `@surehand/langchain` and `createAgent`.',
    test: 'surfaces/langchain/src/transcripts.test.ts',
    sections: [
      {
        title: 'With a checkpointer',
        about:
          'The purchase cannot be undone, so the decision on the page counts and not the one that the app relays.',
        conversations: await record(recordInterrupt),
      },
      {
        title: 'Without a checkpointer',
        conversations: await record(recordLoop),
      },
    ],
  })
  await expect(page).toMatchFileSnapshot('../../../docs/transcripts/langchain.md')
})
