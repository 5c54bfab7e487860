import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
} from '../../../core/src/index.ts'
import { addToCart, cartInput, cartOutput, TOOL_DESCRIPTION, TOOL_NAME } from '../core/tool.ts'

export const caller: Caller = {
  tenant: 'acme',
  principal: 'amelie',
  actor: 'ai_agent',
  roles: ['user'],
  capabilities: ['cart.read'],
}

/** The tool of every contender as a governed read, with the name that the bare frameworks use. */
export function shop() {
  const tool = defineTool({
    id: TOOL_NAME,
    title: 'Add to cart',
    category: 'integration',
    description: TOOL_DESCRIPTION,
    input: cartInput,
    output: cartOutput,
    contract: {
      effect: 'read',
      permissions: { roles: ['user'], capabilities: ['cart.read'] },
      unknownKeys: 'refuse',
    },
    execute: ({ input }) => addToCart(input),
  })
  return createRuntime({
    packs: [definePack({ name: 'shop', tools: [tool] })],
    stores: memoryStores(),
  })
}
