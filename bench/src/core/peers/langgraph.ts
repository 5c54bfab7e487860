import { AIMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { type Start, subject } from '../../harness/contender.ts'
import { addToCart, type CartInput, cartInput, TOOL_DESCRIPTION, TOOL_NAME } from '../tool.ts'

export const langGraphToolNode: Start = async () => {
  const cart = tool((input: CartInput) => addToCart(input), {
    name: TOOL_NAME,
    description: TOOL_DESCRIPTION,
    schema: cartInput,
  })
  const node = new ToolNode([cart])
  return subject({
    payload: (input) => ({
      messages: [
        new AIMessage({
          content: '',
          tool_calls: [
            {
              type: 'tool_call',
              id: 'call_1',
              name: TOOL_NAME,
              args: input as Record<string, unknown>,
            },
          ],
        }),
      ],
    }),
    call: (state): Promise<unknown> => node.invoke(state),
    // A refusal is a message too, but not JSON.
    output: (answer) =>
      JSON.parse(
        (answer as { messages: { content: string }[] }).messages[0]?.content ?? '',
      ) as unknown,
  })
}
