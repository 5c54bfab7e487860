import { questionView } from '@surehand/core/host'
import { z } from 'zod'
import { parseBody, parseQuery } from '../parse-request.ts'
import type { Route } from '../route.ts'

const ListQuery = z.strictObject({
  state: z.enum(['open', 'answered', 'expired', 'closed']).exactOptional(),
})
const AnswerForm = z.strictObject({
  answer: z.unknown(),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the digest of what was shown')
    .exactOptional(),
})

/** Questions that runs ask, and the answers of people and of the models that called. */
export const questionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/questions',
    command: 'questions.list',
    summary: "Lists the questions of your own runs, and for approvers all of the tenant's.",
    async handle(context, caller, { runtime, questionUrl }) {
      const { state } = parseQuery(context, ListQuery)
      const questions = await runtime.questions.listFor(caller, state)
      return { questions: questions.map((question) => questionView(question, questionUrl)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/questions/:id',
    command: 'questions.get',
    summary: 'Returns one question, with everything that the person who answers must see.',
    handle: async (context, caller, { runtime, questionUrl }) =>
      questionView(
        await runtime.questions.getFor(caller, context.req.param('id') ?? ''),
        questionUrl,
      ),
  },
  {
    method: 'POST',
    path: '/v1/questions/:id/answer',
    command: 'questions.answer',
    summary: 'Answers the question that the digest identifies. The call then continues by itself.',
    async handle(context, caller, surface) {
      const { answer, digest } = await parseBody(context, surface, AnswerForm)
      const form = digest === undefined ? { answer } : { answer, digest }
      return questionView(
        await surface.runtime.questions.answer(caller, context.req.param('id') ?? '', form),
        surface.questionUrl,
      )
    },
  },
]
