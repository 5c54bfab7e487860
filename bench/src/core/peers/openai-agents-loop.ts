import { Agent, type Model, type ModelResponse, Runner, tool, Usage } from '@openai/agents'
import { type Start, subject } from '../../harness/contender.ts'
import { addToCart, type CartInput, TOOL_DESCRIPTION, TOOL_NAME } from '../tool.ts'
import { openAiInput } from './openai-agents-input.ts'

/** The whole run with a model that asks for the tool, less the run with a model that answers at once. */
export const openAiAgentsLoop: Start = async () => {
  const cart = tool({
    name: TOOL_NAME,
    description: TOOL_DESCRIPTION,
    parameters: openAiInput,
    execute: (input) => addToCart(input as CartInput),
  })
  const runner = new Runner({ tracingDisabled: true })
  const agentWith = (model: Model) =>
    new Agent({ name: 'shopper', instructions: 'Put things into the cart.', tools: [cart], model })
  const ask = (agent: ReturnType<typeof agentWith>) => runner.run(agent, 'Put it into my cart.')
  const answering = agentWith(mockModel(() => text()))
  return subject({
    payload: (input) => agentWith(callingModel(JSON.stringify(input))),
    call: (agent) => ask(agent),
    without: () => ask(answering),
    output: ({ newItems }) => {
      const item = newItems.find(({ type }) => type === 'tool_call_output_item')
      if (item === undefined || !('output' in item) || typeof item.output !== 'object')
        throw new Error('the tool gave no result')
      return item.output
    },
  })
}

function callingModel(input: string): Model {
  return mockModel((isAnswered) => (isAnswered ? text() : call(input)))
}

function mockModel(answer: (isAnswered: boolean) => ModelResponse['output']): Model {
  return {
    getResponse: async ({ input }) => ({
      usage: new Usage(),
      output: answer(Array.isArray(input) && input.at(-1)?.type === 'function_call_result'),
      responseId: 'response_1',
    }),
    getStreamedResponse: () => {
      throw new Error('not streamed here')
    },
  }
}

function text(): ModelResponse['output'] {
  return [
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Done.' }],
    },
  ]
}

function call(input: string): ModelResponse['output'] {
  return [
    {
      type: 'function_call',
      callId: 'call_1',
      name: TOOL_NAME,
      status: 'completed',
      arguments: input,
    },
  ]
}
