import { generateText, isStepCount, type LanguageModel, type ToolSet, tool } from 'ai'
import { type Start, type Subject, subject } from '../../harness/contender.ts'
import { addToCart, cartInput, TOOL_DESCRIPTION, TOOL_NAME } from '../tool.ts'

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>
type Generated = Awaited<ReturnType<Model['doGenerate']>>

const usage: Generated['usage'] = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}
const text: Generated = {
  content: [{ type: 'text', text: 'Done.' }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage,
  warnings: [],
}

/** The whole loop with a model that asks for the tool, less the loop with a model that answers at once. */
export const aiSdkLoop: Start = async () => {
  return askLoop({
    [TOOL_NAME]: tool({
      description: TOOL_DESCRIPTION,
      inputSchema: cartInput,
      execute: (input) => addToCart(input),
    }),
  })
}

export function askLoop(
  tools: ToolSet,
  outputOf: (answer: unknown) => unknown = (answer) => answer,
): Subject {
  const ask = (model: Model) =>
    generateText({ model, tools, prompt: 'Put it into my cart.', stopWhen: isStepCount(3) })
  const answering = mockModel(() => text)
  return subject({
    payload: (input) => callingModel(JSON.stringify(input)),
    call: (model) => ask(model),
    without: () => ask(answering),
    output: ({ steps }) => {
      const result = steps[0]?.toolResults[0]
      if (result === undefined) throw new Error('the tool gave no result')
      return outputOf(result.output)
    },
  })
}

function callingModel(input: string): Model {
  const call: Generated = {
    content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: TOOL_NAME, input }],
    finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
    usage,
    warnings: [],
  }
  return mockModel((prompt) => (prompt.at(-1)?.role === 'tool' ? text : call))
}

function mockModel(
  answer: (prompt: Parameters<Model['doGenerate']>[0]['prompt']) => Generated,
): Model {
  return {
    specificationVersion: 'v4',
    provider: 'mock',
    modelId: 'mock',
    supportedUrls: {},
    doGenerate: async ({ prompt }) => answer(prompt),
    doStream: () => Promise.reject(new Error('not streamed here')),
  }
}
