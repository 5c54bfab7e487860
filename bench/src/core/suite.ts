import type { CallSuite } from '../harness/call-suite.ts'
import { contenders, manyToolsContenders } from './contenders.ts'
import { goals } from './goals.ts'
import { inputs, invalidInputs, overflowingInput } from './inputs.ts'
import { expectedTools } from './registry.ts'
import { addToCart, type CartInput } from './tool.ts'

export const suite: CallSuite = {
  name: 'core',
  sections: [
    {
      title: 'A call in process',
      contenders,
      baseline: 'ai-sdk',
      workload: {
        inputs,
        invalidInputs,
        overflowingInput,
        expected: (input) => addToCart(input as CartInput),
      },
      plan: { warmUpMs: 3000, warmUpCalls: 2000, warmUpAtMostMs: 3000, batchMs: 25, batches: 16 },
    },
    {
      title: 'Ten thousand tools',
      contenders: manyToolsContenders,
      baseline: 'surehand-register',
      workload: {
        inputs: [{}],
        invalidInputs: [],
        overflowingInput: {},
        expected: async () => expectedTools,
      },
      // The warm-up runs every query: a tool's document is created when it is first found.
      plan: { warmUpMs: 50, warmUpCalls: 24, warmUpAtMostMs: 3000, batchMs: 25, batches: 9 },
    },
  ],
  goals,
  rounds: 5,
}
