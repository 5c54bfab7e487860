import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, createRuntime } from '@surehand/core'
import {
  readUIMessageStream,
  simulateReadableStream,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { localParcels } from '../parcels/local-parcels.ts'
import { parcelsPack } from '../parcels/pack.ts'
import { HOST } from './chat-route.ts'
import { startChat } from './start-chat.ts'

const caller: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'ai_agent',
  roles: ['user'],
  capabilities: [],
}
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/** A model that calls the tool first, and then says that it is done. */
function modelThatCalls(toolName: string, input: object): MockLanguageModelV4 {
  const call = {
    type: 'tool-call',
    toolCallId: 'c1',
    toolName,
    input: JSON.stringify(input),
  } as const
  const text = [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Done.' },
    { type: 'text-end', id: 't' },
  ] as const
  let turn = 0
  return new MockLanguageModelV4({
    async doStream() {
      turn += 1
      const unified = turn === 1 ? 'tool-calls' : 'stop'
      const finish = { type: 'finish', finishReason: { unified, raw: undefined }, usage } as const
      const chunks = [...(turn === 1 ? [call] : text), finish]
      return { stream: simulateReadableStream({ chunks }) }
    },
  })
}

/** Posts the messages of the chat, and returns them with the answer. */
async function post(url: string, messages: readonly UIMessage[]): Promise<UIMessage[]> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ id: 'chat-1', messages }),
  })
  assert.equal(response.status, 200)
  const chunks = (await response.text())
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)) as UIMessageChunk)
  const last = messages.at(-1)
  const before = last?.role === 'assistant' ? last : undefined
  let answer: UIMessage | undefined
  for await (const message of readUIMessageStream({
    stream: simulateReadableStream({ chunks }),
    ...(before === undefined ? {} : { message: before }),
  }))
    answer = message
  assert.ok(answer !== undefined, 'The chat answers with a message.')
  return [...messages.filter((message) => message !== before), answer]
}

/** The messages as a page sends them when the person has pressed "yes". */
function approve(messages: readonly UIMessage[]): UIMessage[] {
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'dynamic-tool' && part.state === 'approval-requested'
        ? {
            ...part,
            state: 'approval-responded',
            approval: { ...part.approval, approved: true },
          }
        : part,
    ),
  }))
}

test('the chat asks before it redirects a parcel, and redirects it once', async () => {
  const parcels = localParcels()
  const addressOf = async (id: string) =>
    (await parcels.find({ id }, AbortSignal.timeout(1_000)))?.address
  const runtime = createRuntime({
    packs: [parcelsPack],
    providers: { parcels },
    policyOf: () => ({ version: 1, trustedHosts: [HOST] }),
  })
  const model = modelThatCalls('parcels__redirect', { id: 'p-1', address: 'Park Lane 7, London' })
  const chat = await startChat({ runtime, model, caller }, 0)
  try {
    const asked = await post(chat.url, [
      {
        id: 'm1',
        role: 'user',
        parts: [{ type: 'text', text: 'Send p-1 to Park Lane 7, London.' }],
      },
    ])
    assert.equal(await addressOf('p-1'), 'Rua Augusta 1, Lisbon')
    const answered = approve(asked)
    await post(chat.url, answered)
    assert.equal(await addressOf('p-1'), 'Park Lane 7, London')
  } finally {
    chat.close()
  }
})
