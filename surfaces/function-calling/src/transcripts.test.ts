import { type ScriptedCall, startModelEmulator } from '@surehand/testing'
import {
  inTranscriptShop,
  type RecordedConversation,
  recordPurchase,
  renderTranscripts,
  type TranscriptShop,
  type Verdict,
} from '@surehand/testing/fixtures/transcript.ts'
import { expect, test } from 'vitest'
import { askEmulator, modelTurns, userTurn } from './fixtures/ask-emulator.ts'
import { functionCalling } from './function-calling.ts'
import type { ProviderName } from './providers/wire.ts'

const PROVIDERS: Readonly<Record<ProviderName, string>> = {
  'openai-chat': 'OpenAI, chat completions',
  'openai-responses': 'OpenAI, Responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
}

/** What the provider is sent for the result of a call: the model reads all of it. */
async function recordProvider(
  provider: ProviderName,
  verdict: Verdict,
  shop: TranscriptShop,
): Promise<RecordedConversation> {
  const { runtime, agent, approvalUrl } = shop
  let wanted: ScriptedCall = { name: '', arguments: {} }
  const emulator = await startModelEmulator({ script: () => ({ calls: [wanted] }) })
  const calling = functionCalling(runtime, agent, { provider, run: provider, approvalUrl })
  const conversation: unknown[] = [userTurn(provider, 'Buy two packets of tea.')]
  try {
    return await recordPurchase(verdict, shop, async (name, input) => {
      wanted = { name, arguments: input }
      const tools = await calling.tools()
      const answer = await askEmulator({ url: emulator.url, provider, conversation, tools })
      const results = await calling.handle(answer)
      conversation.push(...modelTurns(provider, answer), ...results)
      return results.map((result) => fixIds(JSON.stringify(result, null, 2))).join('\n')
    })
  } finally {
    await emulator.stop()
  }
}

// The emulator makes an id for each call.
function fixIds(json: string): string {
  return json.replaceAll(/"(tool_call_id|call_id|tool_use_id|id)": "[^"]*"/g, '"$1": "call-1"')
}

test('the transcripts of the documentation are what a model reads over each API', async () => {
  const sections = []
  for (const [name, title] of Object.entries(PROVIDERS)) {
    const record = (verdict: Verdict): Promise<RecordedConversation> =>
      inTranscriptShop((shop) => recordProvider(name as ProviderName, verdict, shop))
    sections.push({ title, conversations: [await record('approve'), await record('deny')] })
  }
  const page = renderTranscripts({
    title: 'Transcripts: function calling',
    about:
      'What is sent to a model about a purchase that a person must approve, with `@surehand/function-calling` and an emulator of each API.',
    test: 'surfaces/function-calling/src/transcripts.test.ts',
    sections,
  })
  await expect(page).toMatchFileSnapshot('../../../docs/transcripts/function-calling.md')
})
