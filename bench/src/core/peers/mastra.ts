import { createTool, noopObserve } from '@mastra/core/tools'
import { type Start, subject } from '../../harness/contender.ts'
import {
  addToCart,
  type CartInput,
  cartInput,
  cartOutput,
  TOOL_DESCRIPTION,
  TOOL_NAME,
} from '../tool.ts'

export const mastraInput: Start = async () => {
  const tool = createTool({
    id: TOOL_NAME,
    description: TOOL_DESCRIPTION,
    inputSchema: cartInput,
    execute: (input) => addToCart(input),
  })
  return subject({
    payload: (input) => input as CartInput,
    call: async (input): Promise<unknown> => tool.execute?.(input, { observe: noopObserve }),
    output: throwRefusal,
  })
}

export const mastraBoth: Start = async () => {
  const tool = createTool({
    id: TOOL_NAME,
    description: TOOL_DESCRIPTION,
    inputSchema: cartInput,
    outputSchema: cartOutput,
    execute: (input) => addToCart(input),
  })
  return subject({
    payload: (input) => input as CartInput,
    call: async (input): Promise<unknown> => tool.execute?.(input, { observe: noopObserve }),
    output: throwRefusal,
  })
}

/** Mastra returns a refusal as a value with an error. */
function throwRefusal(answer: unknown): unknown {
  if (typeof answer === 'object' && answer !== null && 'error' in answer)
    throw new Error(String(answer.error))
  return answer
}
