import { asSchema, executeTool, isExecutableTool, safeParseJSON } from '@ai-sdk/provider-utils'
import type { Tool } from 'ai'
import { tools } from '../../../surfaces/ai-sdk/src/index.ts'
import { askLoop } from '../core/peers/ai-sdk-loop.ts'
import { TOOL_NAME } from '../core/tool.ts'
import { type Start, subject } from '../harness/contender.ts'
import { caller, shop } from './shop.ts'

/** The same steps as the bare SDK's row, with our tool in them. */
export const governedAiSdkCall: Start = async () => {
  // erased: the bench has a copy of the SDK of its own
  const cart = (await tools(shop(), caller, { run: 'bench' }))[TOOL_NAME] as Tool | undefined
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
    output: dataOf,
  })
}

export const governedAiSdkLoop: Start = async () => askLoop(await tools(shop(), caller, { run: 'bench' }), dataOf)

// the answer says besides whether it is whole
function dataOf(answer: unknown): unknown {
  return (answer as { readonly data: unknown }).data
}
