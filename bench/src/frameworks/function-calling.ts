import { functionCalling } from '../../../surfaces/function-calling/src/index.ts'
import { addToCart, cartInput, TOOL_NAME } from '../core/tool.ts'
import { type Start, subject } from '../harness/contender.ts'
import { caller, shop } from './shop.ts'

type Message = { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

/** The loop as an application without a framework has it. */
export const plainLoop: Start = async () =>
  subject({
    payload: (input) => JSON.stringify(input),
    call: async (text, serial): Promise<readonly Message[]> => {
      const calls = responseWith(text, serial).choices[0]?.message.tool_calls ?? []
      return Promise.all(
        calls.map(async ({ id, function: { arguments: given } }) => {
          const parsed = cartInput.safeParse(JSON.parse(given))
          const content = parsed.success
            ? JSON.stringify(await addToCart(parsed.data))
            : `Error: ${parsed.error.message}`
          return { role: 'tool' as const, tool_call_id: id, content }
        }),
      )
    },
    output: dataOf,
  })

export const governedHandle: Start = async () => {
  const calling = functionCalling(shop(), caller, { provider: 'openai-chat', run: 'bench' })
  return subject({
    payload: (input) => JSON.stringify(input),
    call: (text, serial) => calling.handle(responseWith(text, serial)),
    output: (messages) => dataOf(messages as readonly Message[]),
  })
}

function responseWith(text: string, serial: number) {
  const call = {
    id: `call_${serial}`,
    type: 'function' as const,
    function: { name: TOOL_NAME, arguments: text },
  }
  return {
    id: `chatcmpl-${serial}`,
    object: 'chat.completion',
    created: 0,
    model: 'mock',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: { role: 'assistant', content: null, tool_calls: [call] },
      },
    ],
  }
}

function dataOf([message]: readonly Message[]): unknown {
  return JSON.parse(message?.content ?? '') as unknown
}
