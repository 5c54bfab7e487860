import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'
import { DRAFT } from './fixtures/trip-pack.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

type Body = {
  readonly status: string
  readonly data: Record<string, unknown>
  readonly error?: { readonly code: string; readonly details: Record<string, unknown> }
  readonly metadata: {
    readonly call_id: string
    readonly asking: { readonly question_id: string; readonly url: string }
  }
}
type Asked = {
  readonly id: string
  readonly callId: string
  readonly digest: string
  readonly response: Response
  readonly body: Body
}

const bodyOf = async (response: Response): Promise<Body> => (await response.json()) as Body

async function ask(tool: string, key: string, token = server.tokens.bot): Promise<Asked> {
  const response = await server.send(
    'POST',
    `/v1/tools/${tool}/call`,
    { to: 'Oslo' },
    { token, headers: { 'idempotency-key': key } },
  )
  const body = await bodyOf(response)
  const id = body.metadata.asking.question_id
  const { digest } = await server.runtime.questions.getFor(ann, id)
  return { id, callId: body.metadata.call_id, digest, response, body }
}

const ann = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
} as const

const answer = (id: string, body: object, token = server.tokens.ann) =>
  server.send('POST', `/v1/questions/${id}/answer`, body, { token })

describe('a question', () => {
  test('is reported with 202, the address of the answer and of the question page', async () => {
    const { response, body, callId, id } = await ask('trip.plan', 'told')
    expect([response.status, response.headers.get('location')]).toEqual([
      202,
      `/v1/calls/${callId}`,
    ])
    expect(body).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_INPUT_REQUIRED' },
      metadata: {
        asking: {
          asks: 'Is this the trip to Oslo?',
          from: 'person',
          url: `${server.url}/questions/${id}`,
        },
      },
    })
    expect((await server.get(`/v1/calls/${callId}`)).status).toBe(202)
  })

  test('is listed by its state and shown to the caller and to approvers', async () => {
    const { id, digest } = await ask('trip.plan', 'listed')
    const listQuestions = async (query: string, token?: string) => {
      const { data } = await bodyOf(await server.get(`/v1/questions${query}`, token))
      return (data.items as readonly { readonly id: string }[]).some(
        (question) => question.id === id,
      )
    }
    expect([
      await listQuestions(''),
      await listQuestions('?state=open'),
      await listQuestions('?state=answered'),
    ]).toEqual([true, true, false])
    expect([
      await listQuestions('', server.tokens.bob),
      await listQuestions('', server.tokens.kim),
    ]).toEqual([false, true])
    expect((await server.get('/v1/questions?state=none')).status).toBe(400)
    const { data } = await bodyOf(await server.get(`/v1/questions/${id}`))
    expect(data).toMatchObject({
      id,
      digest,
      state: 'open',
      tool: 'trip.plan',
      url: `${server.url}/questions/${id}`,
    })
  })

  test('is answered once, with the digest of what the person saw, and the call continues to the next', async () => {
    const { id, digest, callId } = await ask('trip.plan', 'answered')
    expect((await answer(id, { answer: DRAFT, digest }, server.tokens.bot)).status).toBe(403)
    expect((await answer(id, { answer: DRAFT })).status).toBe(400)
    expect((await answer(id, { answer: DRAFT, digest: 'a'.repeat(64) })).status).toBe(400)
    expect((await answer(id, { digest })).status).toBe(400)
    const wrong = await answer(id, { answer: { ...DRAFT, seats: 99 }, digest })
    expect([wrong.status, (await bodyOf(wrong)).error?.details]).toMatchObject([
      400,
      { validation_errors: [{ field: 'seats' }] },
    ])
    const taken = await answer(id, { answer: DRAFT, digest })
    expect([taken.status, (await bodyOf(taken)).data]).toMatchObject([
      200,
      { id, state: 'answered', answer: { by: 'ann', credential: 'own' } },
    ])
    expect((await answer(id, { answer: { ...DRAFT, seats: 3 }, digest })).status).toBe(409)
    const next = await bodyOf(await server.get(`/v1/calls/${callId}`))
    expect(next.metadata.asking).toMatchObject({ asks: 'Book 2 seats to Oslo?' })
    const { data } = await bodyOf(
      await server.get(`/v1/questions/${next.metadata.asking.question_id}`),
    )
    expect(
      (await answer(next.metadata.asking.question_id, { answer: true, digest: data.digest }))
        .status,
    ).toBe(200)
    expect(await bodyOf(await server.get(`/v1/calls/${callId}`))).toMatchObject({
      status: 'success',
      data: { seats: 2 },
    })
  })

  test('that anyone may answer is answered by the agent, with no digest', async () => {
    const { id, callId } = await ask('trip.pick', 'model')
    const taken = await answer(id, { answer: 'blue' }, server.tokens.bot)
    expect([taken.status, (await bodyOf(taken)).data]).toMatchObject([
      200,
      { answer: { credential: 'model', value: 'blue' } },
    ])
    expect((await bodyOf(await server.get(`/v1/calls/${callId}`))).data).toBe('blue')
  })
})

describe('a run', () => {
  test('is shown as a tree', async () => {
    const { id, callId } = await ask('trip.plan', 'tree')
    expect((await bodyOf(await server.get(`/v1/calls/${callId}/tree`))).data).toMatchObject({
      call_id: callId,
      state: 'parked',
      steps: [{ path: 'plan', what: 'ask', question_id: id, state: 'waiting' }],
    })
  })

  test('that waits is cancelled by DELETE, and its answer says so', async () => {
    const { id, callId } = await ask('trip.plan', 'stopped')
    const stopped = await server.send('DELETE', `/v1/calls/${callId}`, undefined)
    expect([stopped.status, (await bodyOf(stopped)).error?.details]).toMatchObject([
      409,
      { source_code: 'has_begun' },
    ])
    expect((await bodyOf(await server.get(`/v1/calls/${callId}`))).error?.code).toBe(
      'TOOL_CANCELLED',
    )
    expect((await bodyOf(await server.get(`/v1/questions/${id}`))).data).toMatchObject({
      state: 'closed',
    })
    const again = await server.send('DELETE', `/v1/calls/${callId}`, undefined)
    expect((await bodyOf(again)).error?.details).toMatchObject({ source_code: 'not_cancellable' })
  })
})

test('the ids of another tenant look like ids that do not exist, to the byte', async () => {
  const { id, callId, digest } = await ask('trip.plan', 'foreign')
  const compareResponses = async (method: string, path: string, made: string, none: string) =>
    Promise.all(
      [made, none].map(async (one) => {
        const body = method === 'POST' ? { answer: DRAFT, digest } : undefined
        const response = await server.send(method, path.replace('ID', one), body, {
          token: server.tokens.bob,
        })
        return [
          response.status,
          JSON.stringify((await bodyOf(response)).error).replaceAll(one, 'ID'),
        ]
      }),
    )
  for (const [method, path, made] of [
    ['GET', '/v1/questions/ID', id],
    ['POST', '/v1/questions/ID/answer', id],
    ['GET', '/v1/calls/ID/tree', callId],
    ['GET', '/v1/calls/ID/events', callId],
    ['DELETE', '/v1/calls/ID', callId],
  ] as const) {
    const [theirs, nobodys] = await compareResponses(method, path, made, 'ques_none')
    expect([path, theirs]).toEqual([path, nobodys])
    expect(theirs?.[0]).toBe(404)
  }
})
