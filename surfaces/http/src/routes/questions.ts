import { questionView } from '@surehand/core/host'
import { z } from 'zod'
import { bodyOf, queryOf } from '../query.ts'
import type { Route } from '../route.ts'

const ListQuery = z.strictObject({
  state: z.enum(['open', 'answered', 'expired', 'closed']).exactOptional(),
})
const AnswerForm = z.strictObject({
  answer: z.unknown(),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'is the digest of what was shown')
    .exactOptional(),
})

/** What runs ask, and the answers of people, and of the models that called. */
export const questionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/questions',
    command: 'questions.list',
    summary: "What runs ask: one's own, and for approvers everybody's.",
    async answer(context, caller, { runtime, questionUrl }) {
      const { state } = queryOf(context, ListQuery)
      const questions = await runtime.questions.listFor(caller, state)
      return { questions: questions.map((question) => questionView(question, questionUrl)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/questions/:id',
    command: 'questions.get',
    summary: 'One question, with everything whoever answers must see.',
    answer: async (context, caller, { runtime, questionUrl }) =>
      questionView(
        await runtime.questions.getFor(caller, context.req.param('id') ?? ''),
        questionUrl,
      ),
  },
  {
    method: 'POST',
    path: '/v1/questions/:id/answer',
    command: 'questions.answer',
    summary: 'An answer, to what the digest stands for; the call then goes on by itself.',
    async answer(context, caller, surface) {
      const { answer, digest } = await bodyOf(context, surface, AnswerForm)
      const form = digest === undefined ? { answer } : { answer, digest }
      return questionView(
        await surface.runtime.questions.answer(caller, context.req.param('id') ?? '', form),
        surface.questionUrl,
      )
    },
  },
]
