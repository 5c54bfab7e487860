import { asSchema, executeTool, isExecutableTool, safeParseJSON } from '@ai-sdk/provider-utils'
import { type Tool, tool } from 'ai'
import { type Start, type Subject, subject } from '../../harness/contender.ts'
import { addToCart, cartInput, TOOL_DESCRIPTION } from '../tool.ts'

/** The steps of generateText for one tool call (parseToolCall, then executeTool), with the functions that it uses itself. */
export const aiSdkCall: Start = async () => {
  return callSteps(
    tool({
      description: TOOL_DESCRIPTION,
      inputSchema: cartInput,
      execute: (input) => addToCart(input),
    }),
    (answer) => answer,
  )
}

export function callSteps(cart: Tool | undefined, output: (answer: unknown) => unknown): Subject {
  if (cart === undefined || !isExecutableTool(cart)) throw new Error('the tool has no execute')
  return subject({
    payload: (input) => JSON.stringify(input),
    call: async (text, serial) => {
      const parsed = await safeParseJSON({ text, schema: asSchema(cart.inputSchema) })
      if (!parsed.success) throw parsed.error
      let output: unknown
      for await (const part of executeTool({
        tool: cart,
        input: parsed.value,
        options: { toolCallId: `call_${serial}`, messages: [], context: undefined as never },
      })) {
        if (part.type === 'final') output = part.output
      }
      return output
    },
    output,
  })
}
