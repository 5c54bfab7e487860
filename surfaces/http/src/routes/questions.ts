import { questionView } from '@surehand/core/host'
import { QuestionSchema } from '@surehand/edge/api'
import { z } from 'zod'
import { PAGE_FIELDS, pageReturned, pageView, readPage } from '../paging.ts'
import { parseBody, parseQuery } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'

const ListQuery = z.strictObject({
  ...PAGE_FIELDS,
  state: z.enum(['open', 'answered', 'expired', 'closed']).exactOptional(),
})
const AnswerForm = z.strictObject({
  answer: z.unknown(),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the digest of what was shown')
    .exactOptional(),
})

const DIGEST = '8f0e5c1d7b2a4936c5e8d1f0a7b3924e6c8d5f1a0b7e3c9d2f4a6b8c0e1d3f57'

const returned: Documented = {
  schema: () => QuestionSchema,
  example: {
    id: 'qst_01jd3k8m2nq4r5s6t7v8w9x0yz',
    principal: 'ann',
    call_id: 'call_01jd3k8m2nq4r5s6t7v8w9x0ya',
    tool: 'trip.plan',
    path: 'seat',
    asks: 'Window or aisle?',
    from: 'person',
    schema: { type: 'object', properties: { seat: { enum: ['window', 'aisle'] } } },
    shown: '{"asks":"Window or aisle?"}',
    digest: DIGEST,
    state: 'open',
    created_at: '2026-11-16T09:00:00.000Z',
    expires_at: '2026-11-17T09:00:00.000Z',
    url: 'https://tools.example/questions/qst_01jd3k8m2nq4r5s6t7v8w9x0yz',
  },
}

/** Questions that runs ask, and the answers of people and of the models that called. */
export const questionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/questions',
    command: 'questions.list',
    summary:
      "Lists the questions of your own runs, and for approvers all of the tenant's, the newest first.",
    query: ListQuery,
    returns: pageReturned(returned),
    async handle(context, caller, { runtime, questionUrl }) {
      const { state, ...query } = parseQuery(context, ListQuery)
      const wanted = { state, ...readPage('questions.list', query) }
      const page = await runtime.questions.pageFor(caller, wanted)
      return pageView('questions.list', page, (question) => questionView(question, questionUrl))
    },
  },
  {
    method: 'GET',
    path: '/v1/questions/:id',
    command: 'questions.get',
    summary: 'Returns one question, with everything that the person who answers must see.',
    returns: returned,
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
    body: {
      schema: () => AnswerForm,
      example: { answer: { seat: 'window' }, digest: DIGEST },
    },
    returns: returned,
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
