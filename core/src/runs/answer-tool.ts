import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import { once } from '../define/once.ts'
import { definePort, sameKey } from '../define/port.ts'
import { defineTool, type Tool } from '../define/tool.ts'
import type { QuestionsApi } from './questions-api.ts'

type Questions = {
  readonly answer: (args: {
    readonly caller: Caller
    readonly id: string
    readonly answer: unknown
  }) => Promise<{ readonly callId: string }>
}

/** The same answer, sent twice, is one answer. */
const questionsPort = definePort<Questions>('surehand.questions', {
  answer: sameKey({ validFor: '30d' }),
})

/** The id of the tool with which a model answers the questions of runs. */
export const ANSWER_TOOL = 'surehand.answer'

/** Added to the tools of a runtime that has runs, so that every surface offers it. */
export const answerTool: () => Tool = once(
  () =>
    defineTool({
      id: ANSWER_TOOL,
      title: 'Answer a question of a running tool',
      category: 'custom',
      description:
        'Answers a question that a tool asked with TOOL_INPUT_REQUIRED (metadata.asking), if it was asked of the model. The tool then continues by itself; fetch its answer with surehand.result.',
      input: z.object({ question_id: z.string().min(1).max(100), answer: z.json() }),
      output: z.object({ call_id: z.string() }),
      // An answer that does not match the schema may be given again, so a refusal releases the key.
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

/** The provider of its port: the runtime's own questions API. */
export function questionProvider(
  questionsApi: () => QuestionsApi,
): Readonly<Record<string, Questions>> {
  return {
    [questionsPort.name]: {
      answer: async ({ caller, id, answer }) => {
        const { callId } = await questionsApi().answer(caller, id, { answer })
        return { callId }
      },
    },
  }
}
