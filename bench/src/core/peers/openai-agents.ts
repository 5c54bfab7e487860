import { RunContext, tool } from '@openai/agents'
import { type Start, subject } from '../../harness/contender.ts'
import { addToCart, type CartInput, TOOL_DESCRIPTION, TOOL_NAME } from '../tool.ts'
import { openAiInput } from './openai-agents-input.ts'

export const openAiAgentsInvoke: Start = async () => {
  const cart = tool({
    name: TOOL_NAME,
    description: TOOL_DESCRIPTION,
    parameters: openAiInput,
    execute: (input) => addToCart(input as CartInput),
  })
  return subject({
    payload: (input) => JSON.stringify(input),
    call: (text): Promise<unknown> => cart.invoke(new RunContext(), text),
    // A refusal is a text for the model.
    output: (answer) => {
      if (typeof answer === 'string') throw new Error(answer)
      return answer
    },
  })
}
