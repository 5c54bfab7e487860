import { contenders as bare } from '../core/contenders.ts'
import { inputs, invalidInputs, overflowingInput } from '../core/inputs.ts'
import { addToCart, type CartInput } from '../core/tool.ts'
import type { CallSection, CallSuite } from '../harness/call-suite.ts'
import type { Contender } from '../harness/contender.ts'

const workload = {
  inputs,
  invalidInputs,
  overflowingInput,
  expected: (input: object) => addToCart(input as CartInput),
}
const plan = { warmUpMs: 400, warmUpCalls: 2000, warmUpAtMostMs: 2000, batchMs: 25, batches: 16 }

const GOVERNED = 'the same, with all stages of a governed read'

/** Each framework with a bare tool and with a governed one. */
export const suite: CallSuite = {
  name: 'frameworks',
  sections: [
    section('AI SDK 7: a call', 'ai-sdk', {
      id: 'surehand-ai-sdk',
      label: 'AI SDK 7 call, Surehand',
      load: async () => (await import('./ai-sdk.ts')).governedAiSdkCall,
    }),
    section('AI SDK 7: what a tool call adds to generateText', 'ai-sdk-loop', {
      id: 'surehand-ai-sdk-loop',
      label: 'AI SDK 7 generateText, Surehand',
      load: async () => (await import('./ai-sdk.ts')).governedAiSdkLoop,
    }),
    section('LangChain 1.2: invoke(toolCall)', 'langchain-call', {
      id: 'surehand-langchain-call',
      label: 'LangChain 1.2 invoke(toolCall), Surehand',
      load: async () => (await import('./langchain.ts')).governedToolCall,
    }),
    section('LangGraph 1.4: ToolNode', 'langgraph', {
      id: 'surehand-langgraph',
      label: 'LangGraph 1.4 ToolNode, Surehand',
      load: async () => (await import('./langchain.ts')).governedToolNode,
    }),
    {
      title: 'Function calling: an OpenAI chat response with one call',
      baseline: 'plain-loop',
      contenders: [
        {
          id: 'plain-loop',
          label: 'a loop without a framework',
          does: 'JSON.parse, safeParse, the function, JSON.stringify',
          validates: 'input',
          load: async () => (await import('./function-calling.ts')).plainLoop,
        },
        {
          id: 'surehand-function-calling',
          label: 'handle(response), Surehand',
          does: 'tool names and nulls converted back, all stages of a governed read',
          validates: 'input, output',
          load: async () => (await import('./function-calling.ts')).governedHandle,
        },
      ],
      workload,
      plan,
    },
  ],
  goals: [],
  rounds: 5,
}

function section(
  title: string,
  baseline: string,
  ours: Pick<Contender, 'id' | 'label' | 'load'>,
): CallSection {
  const peer = bare.find(({ id }) => id === baseline)
  if (peer === undefined)
    throw new TypeError(`There is no contender ${baseline} in core/contenders.ts.`)
  return {
    title,
    baseline,
    contenders: [peer, { ...ours, does: GOVERNED, validates: 'input, output' }],
    workload,
    plan,
  }
}
