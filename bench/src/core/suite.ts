import type { Suite } from '../harness/suite-shape.ts'
import { contenders } from './contenders.ts'
import { goals } from './goals.ts'
import { inputs, invalidInputs, overflowingInput } from './inputs.ts'
import { addToCart, type CartInput } from './tool.ts'

export const suite: Suite = {
  name: 'core',
  sections: [
    {
      title: 'A call in process',
      contenders,
      baseline: 'ai-sdk',
      workload: { inputs, invalidInputs, overflowingInput, expected: (input) => addToCart(input as CartInput) },
      plan: { warmUpMs: 400, warmUpCalls: 2000, warmUpAtMostMs: 2000, batchMs: 25, batches: 16 },
    },
  ],
  goals,
  rounds: 5,
}
