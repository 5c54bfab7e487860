import { tool } from '@langchain/core/tools'
import { type Start, subject } from '../../harness/contender.ts'
import { addToCart, type CartInput, cartInput, TOOL_DESCRIPTION, TOOL_NAME } from '../tool.ts'

export const langchainArgs: Start = async () => {
  const cart = cartTool()
  return subject({
    payload: (input) => input as CartInput,
    call: (input): Promise<unknown> => cart.invoke(input),
    output: (answer) => answer,
  })
}

export const langchainToolCall: Start = async () => {
  const cart = cartTool()
  return subject({
    payload: (input) => ({
      type: 'tool_call' as const,
      id: 'call_1',
      name: TOOL_NAME,
      args: input as Record<string, unknown>,
    }),
    call: (toolCall): Promise<unknown> => cart.invoke(toolCall),
    output: (answer) => JSON.parse((answer as { content: string }).content) as unknown,
  })
}

function cartTool() {
  return tool((input: CartInput) => addToCart(input), {
    name: TOOL_NAME,
    description: TOOL_DESCRIPTION,
    schema: cartInput,
  })
}
