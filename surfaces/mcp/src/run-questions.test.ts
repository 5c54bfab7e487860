import type { Client, ClientOptions } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, test } from 'vitest'
import { callIdOf } from './fixtures/call-id-of.ts'
import { type Rpc, rawClient } from './fixtures/raw-client.ts'
import { type Era, type Served, serve } from './fixtures/serve.ts'
import { ann, bob, HOST } from './fixtures/shop.ts'
import { openTrips, type TripOptions, type Trips } from './fixtures/trips.ts'
import { ENVELOPE_META } from './reply.ts'

const plan = { name: 'trip__plan', arguments: {} }
const trusting = { version: 1, trustedHosts: [HOST] }
const person = { ...ann, actor: 'user' } as const

let served: Served | undefined
afterEach(() => served?.close())

type Answer = {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Record<string, string | number | boolean>
}
type Asked = {
  readonly message: string
  readonly mode?: string | undefined
  readonly requestedSchema?: unknown
  readonly url?: string
}

function accept(content: NonNullable<Answer['content']>): Answer {
  return { action: 'accept', content }
}

async function open(trips: Trips): Promise<Served> {
  served = await serve(
    trips.runtime,
    { ann, bob },
    { hostOf: () => HOST, questionUrl: (id) => `https://pages.example.com/questions/${id}` },
  )
  return served
}

/** A client whose person says these things, one after the other. */
async function asking(
  trips: Trips,
  era: Era,
  answers: Answer[],
): Promise<{ readonly client: Client; readonly asked: Asked[] }> {
  const client = await (await open(trips)).connect(era, 'ann', {
    capabilities: { elicitation: { form: {} } },
  } as ClientOptions)
  const asked: Asked[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params as Asked)
    return answers.shift() ?? { action: 'cancel' }
  })
  return { client, asked }
}

function trustingTrips(options: TripOptions = {}): Trips {
  const trips = openTrips(options)
  trips.policies.set('acme', trusting)
  return trips
}

describe.each<Era>(['2026', '2025'])('what a run asks, for clients of %s', (era) => {
  test('is put as forms, one after the other, and the run goes on with what the person said', async () => {
    const trips = trustingTrips()
    const { client, asked } = await asking(trips, era, [
      accept({ city: 'Bergen', nights: 3 }),
      accept({ answer: true }),
    ])
    const answer = await client.callTool(plan)
    expect(answer.structuredContent).toEqual({ city: 'Bergen', nights: 3 })
    expect(trips.booked).toEqual(['Bergen'])
    expect(asked.map(({ requestedSchema }) => requestedSchema)).toEqual([
      {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'Where to.', minLength: 2, default: 'Oslo' },
          nights: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 2 },
          seat: { type: 'string', enum: ['window', 'aisle'] },
        },
        required: ['city', 'nights'],
      },
      { type: 'object', properties: { answer: { type: 'boolean' } }, required: ['answer'] },
    ])
    expect(asked[1]?.message).toContain('Book Bergen?')
    const [question] = await trips.runtime.questions.listFor(person, 'answered')
    expect(question?.answer).toMatchObject({ credential: 'attested', host: HOST, by: 'ann' })
  })

  test('that is answered with a value that a form cannot reject is asked again, with the problem', async () => {
    for (const hasReader of [false, true]) {
      const trips = trustingTrips({ hasReader })
      const { client, asked } = await asking(trips, era, [
        accept({ city: 'bergen', nights: 3 }),
        accept({ city: 'Bergen', nights: 3 }),
        accept({ answer: true }),
      ])
      const answer = await client.callTool(plan)
      expect(asked.map(({ message }) => /city .*(match|pattern|invalid)/i.test(message))).toEqual([
        false,
        true,
        false,
      ])
      expect(answer.structuredContent).toEqual({ city: 'Bergen', nights: 3 })
      await served?.close()
    }
  })

  test('stays open when the form is declined or closed, and the handle says where it can be answered', async () => {
    const trips = trustingTrips()
    const { client, asked } = await asking(trips, era, [{ action: 'decline' }])
    const answer = await client.callTool(plan)
    expect(asked).toHaveLength(1)
    expect(answer.isError).toBeUndefined()
    expect(answer._meta?.[ENVELOPE_META]).toMatchObject({
      error: { code: 'TOOL_INPUT_REQUIRED' },
      metadata: {
        asking: {
          asks: 'Where to, and for how long?',
          url: expect.stringContaining('/questions/ques_'),
        },
      },
    })
    expect(JSON.stringify(answer.content)).toMatch(
      /A person answers here: https:\/\/pages\.example\.com\/questions\/ques_/,
    )
    expect(JSON.stringify(answer.content)).toContain(`Call: ${callIdOf(answer)}`)
    expect(await trips.runtime.questions.listFor(person, 'open')).toHaveLength(1)
  })

  test('is not put to a client whose host is not trusted: its answer would not count', async () => {
    const trips = openTrips()
    const { client, asked } = await asking(trips, era, [accept({ city: 'Bergen', nights: 3 })])
    const answer = await client.callTool(plan)
    expect(asked).toEqual([])
    expect(answer._meta?.[ENVELOPE_META]).toMatchObject({ error: { code: 'TOOL_INPUT_REQUIRED' } })
    expect(JSON.stringify(answer.content)).not.toContain('surehand__answer')
  })

  test('is not put as a form where it is a secret, or more than a form can say', async () => {
    const trips = trustingTrips()
    const { client, asked } = await asking(trips, era, [])
    for (const name of ['trip__pay', 'trip__route'])
      expect((await client.callTool({ name, arguments: {} }))._meta?.[ENVELOPE_META]).toMatchObject(
        {
          error: { code: 'TOOL_INPUT_REQUIRED' },
        },
      )
    expect(asked).toEqual([])
  })

  test('to the model is in the result of its call, and its answer returns the result of the run', async () => {
    const trips = trustingTrips()
    const { client, asked } = await asking(trips, era, [accept({ answer: true })])
    const question = await client.callTool({ name: 'trip__guess', arguments: {} })
    expect(question.isError).toBeUndefined()
    expect(asked).toEqual([])
    const text = JSON.stringify(question.content)
    expect(text).toContain('surehand__answer')
    expect(text).toContain('Draft: \\"Rome\\"')
    const [, id] = /Question: (ques_\w+)/.exec(text) ?? []
    await client.listTools()
    // the next question is the person's, and comes in the same call
    const answer = await client.callTool({
      name: 'surehand__answer',
      arguments: { question_id: String(id), answer: 'Paris' },
    })
    expect(asked).toHaveLength(1)
    expect(callIdOf(answer)).toBe(callIdOf(question))
    expect(JSON.stringify(answer.content)).toContain('Paris')
    expect(answer.isError).not.toBe(true)
  })

  test('and a step’s approval after it come in the same call', async () => {
    const trips = trustingTrips()
    trips.runtime.start()
    const { client, asked } = await asking(trips, era, [
      accept({ answer: 'Rome' }),
      accept({ confirm: true }),
    ])
    const answer = await client.callTool({ name: 'trip__planCarefully', arguments: {} })
    await trips.runtime.stop()
    expect(answer.structuredContent).toEqual({ city: 'Rome' })
    expect(asked.map(({ message }) => message.split('\n')[0])).toEqual([
      'Which city?',
      'Book Rome?',
    ])
  })
})

test('a page is opened where the client can, and what is answered there continues the same call', async () => {
  const trips = openTrips()
  const client = await (await open(trips)).connect('2026', 'ann', {
    capabilities: { elicitation: { url: {} } },
  } as ClientOptions)
  const urls: unknown[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    urls.push((params as Asked).url)
    setTimeout(() => void answerOnPage(trips, 'Rome'), 30)
    return { action: 'accept' }
  })
  const answer = await client.callTool({ name: 'trip__pay', arguments: {} })
  expect(urls).toEqual([expect.stringContaining('https://pages.example.com/questions/ques_')])
  expect(JSON.stringify(answer.content)).toContain('Rome')
})

async function answerOnPage(trips: Trips, answer: unknown): Promise<void> {
  const [question] = await trips.runtime.questions.listFor(person, 'open')
  if (question !== undefined)
    await trips.runtime.questions.answer(person, question.id, { answer, digest: question.digest })
}

describe('a requestState of a question', () => {
  type Send = (token: string, params: Readonly<Record<string, unknown>>) => Promise<Rpc>

  async function startQuestion(
    trips: Trips,
  ): Promise<{ readonly send: Send; readonly state: string; readonly id: string }> {
    const opened = await open(trips)
    const send: Send = (token, params) =>
      rawClient(opened, token, { elicitation: {} }).send('tools/call', params)
    const { result } = await send('ann', plan)
    expect(result).toMatchObject({ resultType: 'input_required' })
    return {
      send,
      state: String(result?.requestState),
      id: Object.keys(result?.inputRequests as object)[0] ?? '',
    }
  }

  const acceptWith = (state: string, id: string, city: string) => ({
    ...plan,
    inputResponses: { [id]: accept({ city, nights: 1 }) },
    requestState: state,
  })

  test('is valid once: sent again it answers nothing, and returns the question that is open now', async () => {
    const trips = trustingTrips()
    const { send, state, id } = await startQuestion(trips)
    const first = await send('ann', acceptWith(state, id, 'Bergen'))
    const second = await send('ann', acceptWith(state, id, 'Rome'))
    for (const { result } of [first, second])
      expect(JSON.stringify(result?.inputRequests)).toContain('Book Bergen?')
    expect(await trips.runtime.questions.listFor(person, 'answered')).toMatchObject([
      { answer: { json: '{"city":"Bergen","nights":1}' } },
    ])
  })

  test('is worth nothing to another person, nor for another input', async () => {
    const trips = trustingTrips()
    const { send, state, id } = await startQuestion(trips)
    expect((await send('bob', acceptWith(state, id, 'Rome'))).error?.code).toBe(-32602)
    expect(
      (await send('ann', { ...acceptWith(state, id, 'Rome'), arguments: { draft: 'Rome' } })).error
        ?.code,
    ).toBe(-32602)
    expect(await trips.runtime.questions.listFor(person, 'answered')).toEqual([])
  })
})
