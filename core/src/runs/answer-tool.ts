import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import { once } from '../define/once.ts'
import { definePort, sameKey } from '../define/port.ts'
import { defineTool, type Tool } from '../define/tool.ts'
import type { QuestionsApi } from './desk.ts'

type Questions = {
  readonly answer: (args: {
    readonly caller: Caller
    readonly id: string
    readonly answer: unknown
  }) => Promise<{ readonly callId: string }>
}

/** Told the same answer twice, a question is answered once. */
const questionsPort = definePort<Questions>('surehand.questions', {
  answer: sameKey({ validFor: '30d' }),
})

/** The id of the tool with which a model answers what a run asks of it. */
export const ANSWER_TOOL = 'surehand.answer'

/** Any surface has it, as any tool, where there is a tool that asks. */
export const answerTool: () => Tool = once(
  () =>
    defineTool({
      id: ANSWER_TOOL,
      title: 'Answer a question of a running tool',
      category: 'custom',
      description:
        'Answers a question that a tool asked with TOOL_INPUT_REQUIRED (metadata.asking), if it was asked of the model. The tool then goes on by itself; fetch its answer by call_id.',
      input: z.object({ question_id: z.string().min(1).max(100), answer: z.json() }),
      output: z.object({ call_id: z.string() }),
      // an answer that does not fit may be given again
      contract: {
        effect: 'writes.answer',
        reversible: false,
        idempotency: ({ question_id }) => question_id,
        onRefusal: 'release',
      },
      ports: { questions: questionsPort },
      execute: async ({ input, ports, caller }) => {
        const { callId } = await ports.questions.answer({
          caller,
          id: input.question_id,
          answer: input.answer,
        })
        return { call_id: callId }
      },
    }) as Tool,
)

/** Who supplies its port: the desk itself. */
export function questionProvider(desk: () => QuestionsApi): Readonly<Record<string, Questions>> {
  return {
    [questionsPort.name]: {
      answer: async ({ caller, id, answer }) => {
        const { callId } = await desk().answer(caller, id, { answer })
        return { callId }
      },
    },
  }
}
