import {
  inTranscriptShop,
  type RecordedConversation,
  Recording,
  renderTranscripts,
  type TranscriptShop,
  type Verdict,
} from '@surehand/testing/fixtures/transcript.ts'
import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { asks, post, respond } from './fixtures/chat.ts'
import { scriptedModel, type Turn } from './fixtures/scripted-model.ts'
import { tools } from './tools.ts'

/** The text of the last tool result in a prompt, as a provider sends it to the model. */
function lastResult(model: MockLanguageModelV4): string {
  const { prompt = [] } = [...model.doGenerateCalls, ...model.doStreamCalls].at(-1) ?? {}
  const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  const output = results.findLast((part) => part.type === 'tool-result')?.output
  const value = output !== undefined && 'value' in output ? output.value : undefined
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** A loop of `generateText`, in which the model fetches the answer itself. */
async function recordLoop(verdict: Verdict, shop: TranscriptShop): Promise<RecordedConversation> {
  const recording = new Recording()
  const { runtime, agent, approvalUrl } = shop
  const script: readonly (() => Promise<Turn>)[] = [
    async () => toTurn('call-1', recording.ask()),
    async () => {
      const waiting = lastResult(model)
      recording.reads(waiting)
      recording.person(await shop.decide(verdict))
      return toTurn('call-2', recording.fetch(waiting))
    },
    async () => {
      recording.reads(lastResult(model))
      return { text: 'That is all.' }
    },
  ]
  let next = 0
  const model = new MockLanguageModelV4({
    doGenerate: async (options) => scriptedModel(await take()).doGenerate(options),
  })
  const take = async (): Promise<Turn> => (await script[next++]?.()) ?? { text: '' }
  await generateText({
    model,
    prompt: 'Buy two packets of tea.',
    tools: await tools(runtime, agent, { run: `loop ${verdict}`, approvalUrl }),
    stopWhen: isStepCount(5),
  })
  return recording.end(verdict === 'approve' ? 'Approved' : 'Denied')
}

function toTurn(id: string, { tool, input }: { readonly tool: string; readonly input: unknown }) {
  return { calls: [{ id, name: tool, input }] }
}

/** A chat with `toolApproval`: the SDK stops, and the model reads the result after the decision. */
async function recordChat(verdict: Verdict, shop: TranscriptShop): Promise<RecordedConversation> {
  const recording = new Recording()
  const { runtime, agent: caller, approvalUrl } = shop
  const options = { run: `chat ${verdict}`, host: 'my chat', approvalUrl }
  const asking = scriptedModel(toTurn('call-1', recording.ask()))
  const asked = await post({ runtime, caller }, asks('Buy two packets of tea.'), asking, options)
  recording.person(
    `The chat shows the approval request and does not ask the model again. ${await shop.decide(verdict)} Then the chat goes on, for which the stored decision counts.`,
  )
  const model = scriptedModel({ text: 'That is all.' })
  await post({ runtime, caller }, respond(asked, 'yes'), model, options)
  recording.reads(lastResult(model))
  return recording.end(verdict === 'approve' ? 'Approved' : 'Denied')
}

test('the transcripts of the documentation are what a model reads in the AI SDK', async () => {
  const record = async (how: typeof recordLoop): Promise<readonly RecordedConversation[]> => [
    await inTranscriptShop((shop) => how('approve', shop)),
    await inTranscriptShop((shop) => how('deny', shop)),
  ]
  const page = renderTranscripts({
    title: 'Transcripts: AI SDK',
    about: 'What a model reads of a purchase that a person must approve, with `@surehand/ai-sdk`.',
    test: 'surfaces/ai-sdk/src/transcripts.test.ts',
    sections: [
      {
        title: 'A loop of `generateText`',
        conversations: await record(recordLoop),
      },
      {
        title: 'A chat with `toolApproval`',
        about:
          'The purchase cannot be undone, so the decision on the page counts and not the one in the chat.',
        conversations: await record(recordChat),
      },
    ],
  })
  await expect(page).toMatchFileSnapshot('../../../docs/transcripts/ai-sdk.md')
})
