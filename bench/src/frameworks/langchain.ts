import { AIMessage } from '@langchain/core/messages'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { tools } from '../../../surfaces/langchain/src/index.ts'
import { TOOL_NAME } from '../core/tool.ts'
import { type Start, subject } from '../harness/contender.ts'
import { caller, shop } from './shop.ts'

type ToolMessage = { readonly content: string; readonly status?: string }

export const governedToolCall: Start = async () => {
  const [cart] = await tools(shop(), caller, { run: 'bench' })
  if (cart === undefined) throw new Error('the runtime has no tool')
  return subject({
    payload: (input) => ({
      type: 'tool_call' as const,
      name: TOOL_NAME,
      args: input as Record<string, unknown>,
    }),
    call: (toolCall, serial): Promise<unknown> =>
      cart.invoke({ ...toolCall, id: `call_${serial}` }),
    output: (answer) => dataOf(answer as ToolMessage),
  })
}

export const governedToolNode: Start = async () => {
  // The cast is needed because bench/ has its own copy of LangChain.
  const node = new ToolNode((await tools(shop(), caller, { run: 'bench' })) as never)
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
    output: (answer) => dataOf((answer as { messages: ToolMessage[] }).messages[0]),
  })
}

function dataOf(message: ToolMessage | undefined): unknown {
  if (message === undefined || message.status === 'error')
    throw new Error(message?.content ?? 'the tool node returned no message')
  return JSON.parse(message.content) as unknown
}
