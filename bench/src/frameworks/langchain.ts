import { AIMessage } from '@langchain/core/messages'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { tools } from '../../../surfaces/langchain/src/index.ts'
import { TOOL_NAME } from '../core/tool.ts'
import { type Start, subject } from '../harness/contender.ts'
import { caller, shop } from './shop.ts'

type Told = { readonly content: string; readonly status?: string }

export const governedToolCall: Start = async () => {
  const [cart] = await tools(shop(), caller, { run: 'bench' })
  if (cart === undefined) throw new Error('there is no tool')
  return subject({
    payload: (input) => ({
      type: 'tool_call' as const,
      name: TOOL_NAME,
      args: input as Record<string, unknown>,
    }),
    call: (toolCall, serial): Promise<unknown> =>
      cart.invoke({ ...toolCall, id: `call_${serial}` }),
    output: (answer) => dataOf(answer as Told),
  })
}

export const governedToolNode: Start = async () => {
  // erased: the bench has a copy of LangChain of its own
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
    output: (answer) => dataOf((answer as { messages: Told[] }).messages[0]),
  })
}

function dataOf(told: Told | undefined): unknown {
  if (told === undefined || told.status === 'error')
    throw new Error(told?.content ?? 'nothing was told')
  return JSON.parse(told.content) as unknown
}
