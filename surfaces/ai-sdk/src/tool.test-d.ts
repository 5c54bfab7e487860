import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  IdempotencyKey,
  memoryStores,
} from '@surehand/core'
import {
  generateText,
  type InferToolInput,
  type InferToolOutput,
  type InferUITools,
  streamText,
  ToolLoopAgent,
  type UIMessage,
} from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { z } from 'zod'
import type { ToolAnswer, ToolProgress } from './reply.ts'
import { toolApproval } from './tool-approval.ts'
import { tool, tools } from './tools.ts'

// The compiler is the test: each wrong form must not compile, each right one must.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <T extends true>(_: T): void => undefined

const book = defineTool({
  id: 'booking.book',
  title: 'Book',
  category: 'custom',
  description: 'Books.',
  input: z.object({
    slotId: z.string(),
    seats: z.number().default(1),
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({ confirmation: z.string() }),
  contract: { effect: 'writes.booking', reversible: true, idempotency: 'caller' },
  execute: async () => ({ confirmation: 'c' }),
})
const runtime = createRuntime({
  packs: [definePack({ name: 'booking', tools: [book] })],
  stores: memoryStores(),
})
declare const caller: Caller

const booking = tool(runtime, caller, book, { run: 'chat 1' })
const telling = tool(runtime, caller, book, { run: 'chat 1', progress: 'preliminary' })

// The model's input has all fields but the key; fields with a default are optional.

same<
  Same<
    InferToolInput<typeof booking>,
    Omit<{ slotId: string; seats?: number | undefined; idempotencyKey: string }, 'idempotencyKey'>
  >
>(true)
export const input: InferToolInput<typeof booking> = { slotId: 's' }
// @ts-expect-error a field is missing
export const missing: InferToolInput<typeof booking> = {}
// @ts-expect-error a field of the wrong type
export const wrong: InferToolInput<typeof booking> = { slotId: 5 }

// The output contains the tool's data after its status was checked.

same<Same<InferToolOutput<typeof booking>, ToolAnswer<{ confirmation: string }>>>(true)
same<Same<InferToolOutput<typeof telling>, ToolAnswer<{ confirmation: string }> | ToolProgress>>(
  true,
)
export function confirmation(output: InferToolOutput<typeof booking>): string {
  // @ts-expect-error an accepted job, or a call that waits, has no data yet
  output.data
  return output.status === 'done' ? output.data.confirmation : output.callId
}
export function progress(output: InferToolOutput<typeof telling>): number | undefined {
  return output.status === 'running' ? output.fraction : 1
}

// The SDK accepts the tools.

const set = { booking__book: booking }
const model = new MockLanguageModelV4()
const approval = toolApproval(runtime, caller, { run: 'chat 1' })

export const generateWithTools = async (): Promise<string | undefined> => {
  const { toolResults } = await generateText({
    model,
    tools: set,
    toolApproval: approval,
    prompt: '',
  })
  const [first] = toolResults
  if (first === undefined || first.dynamic) return undefined
  const slot: string = first.input.slotId
  return first.output.status === 'done' ? first.output.data.confirmation : slot
}
export const streamWithTools = () =>
  streamText({ model, tools: set, toolApproval: approval, prompt: '' })
export const agent = new ToolLoopAgent({ model, tools: set, toolApproval: approval })
export const whole = async () =>
  generateText({
    model,
    tools: { ...(await tools(runtime, caller)), ...set },
    toolApproval: approval,
    prompt: '',
  })

export function readConfirmations(
  message: UIMessage<unknown, never, InferUITools<typeof set>>,
): readonly string[] {
  return message.parts.flatMap((part) =>
    part.type === 'tool-booking__book' &&
    part.state === 'output-available' &&
    part.output.status === 'done'
      ? [part.output.data.confirmation]
      : [],
  )
}

// @ts-expect-error a later approval needs a run to identify the call
toolApproval(runtime, caller, {})
// @ts-expect-error not a value of the progress option
tool(runtime, caller, book, { progress: 'always' })
