import type { Tool } from 'ai'
import { tools } from '../../../surfaces/ai-sdk/src/index.ts'
import { callSteps } from '../core/peers/ai-sdk.ts'
import { askLoop } from '../core/peers/ai-sdk-loop.ts'
import { TOOL_NAME } from '../core/tool.ts'
import type { Start } from '../harness/contender.ts'
import { caller, shop } from './shop.ts'

/** The same steps as the bare SDK's row, with our tool in them. */
export const governedAiSdkCall: Start = async () => {
  // The cast is needed because bench/ has its own copy of the SDK.
  const cart = (await tools(shop(), caller, { run: 'bench' }))[TOOL_NAME] as Tool | undefined
  return callSteps(cart, dataOf)
}

export const governedAiSdkLoop: Start = async () =>
  askLoop(await tools(shop(), caller, { run: 'bench' }), dataOf)

// Beside the data, the answer says whether it is complete.
function dataOf(answer: unknown): unknown {
  return (answer as { readonly data: unknown }).data
}
