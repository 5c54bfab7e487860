import { createRuntime, definePack, defineTool, memoryStores, ToolError } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { generateText, isStepCount, streamText } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { asks, post, respond, toolParts } from './fixtures/chat.ts'
import { scriptedModel, toolResultsIn } from './fixtures/scripted-model.ts'
import { ann, HOST } from './fixtures/shop.ts'
import { tool } from './tool.ts'
import { tools } from './tools.ts'

const about = { title: 'A trip', category: 'custom', description: 'About a trip.' } as const

function asking(from: 'model' | 'person') {
  return defineTool({
    ...about,
    id: 'trip.plan',
    kind: 'interactive',
    input: z.object({}),
    output: z.object({ city: z.string() }),
    contract: { effect: 'writes.trip', reversible: true, idempotency: 'caller' },
    execute: async ({ ask }) => ({
      city: await ask(z.string(), 'Which city?', { id: 'city', from }),
    }),
  })
}

const later = defineTool({
  ...about,
  id: 'trip.later',
  kind: 'async',
  input: z.object({}),
  output: z.string(),
  contract: { effect: 'writes.trip', reversible: true, idempotency: 'caller' },
  execute: async () => 'booked',
})

/** Tells three words, each when the one before has been heard. */
function telling(heard: () => Promise<void>) {
  return defineTool({
    ...about,
    id: 'trip.walk',
    input: z.object({}),
    output: z.string(),
    contract: { effect: 'read', timeout: '1m', retries: 0 },
    async execute({ report }) {
      for (const progress of [
        { fraction: 0.5, message: 'half way' },
        { fraction: 0.9 },
      ] satisfies Progress[]) {
        report(progress)
        await heard()
      }
      return 'home'
    },
  })
}

const openRuntime = (...list: Parameters<typeof definePack>[0]['tools']) =>
  createRuntime({ packs: [definePack({ name: 'trip', tools: list })], stores: memoryStores() })

test('a tool that asks the model is answered by the model, which hears what came of it', async () => {
  const runtime = openRuntime(asking('model'))
  const set = await tools(runtime, ann, { run: 'chat 1' })
  const first = scriptedModel({ calls: [{ id: 'call-1', name: 'trip__plan', input: {} }] })
  await generateText({ model: first, tools: set, prompt: 'Plan.', stopWhen: isStepCount(2) })
  const [reported] = toolResultsIn(first)
  expect(reported).toMatchObject({
    type: 'error-text',
    value: expect.stringContaining('surehand__answer'),
  })
  const [, question] = /Question: (\S+)/.exec(String(reported?.value)) ?? []
  const second = scriptedModel({
    calls: [
      { id: 'call-2', name: 'surehand__answer', input: { question_id: question, answer: 'Oslo' } },
    ],
  })
  await generateText({ model: second, tools: set, prompt: 'Go on.', stopWhen: isStepCount(2) })
  expect(toolResultsIn(second)).toEqual([{ id: 'call-2', type: 'text', value: '{"city":"Oslo"}' }])
})

test('a tool that asks a person tells where, and the model cannot answer for them', async () => {
  const runtime = openRuntime(asking('person'))
  const set = await tools(runtime, ann, {
    run: 'chat 1',
    questionUrl: (id) => `https://desk.example/questions/${id}`,
  })
  const model = scriptedModel({ calls: [{ id: 'call-1', name: 'trip__plan', input: {} }] })
  await generateText({ model, tools: set, prompt: 'Plan.', stopWhen: isStepCount(2) })
  const [reported] = toolResultsIn(model)
  expect(reported?.value).toMatch(
    /Asked: Which city\?\nA person answers here: https:\/\/desk\.example\/questions\/\S+/,
  )
  const question = /questions\/(\S+)/.exec(String(reported?.value))?.[1]
  const sly = scriptedModel({
    calls: [
      { id: 'call-2', name: 'surehand__answer', input: { question_id: question, answer: 'Oslo' } },
    ],
  })
  const { content } = await generateText({ model: sly, tools: set, prompt: 'Go on.' })
  expect(content.map(({ type }) => type)).toContain('tool-error')
})

test('a job is waited for; a host that does not wait is told that it was taken on, not that it is done', async () => {
  const runtime = openRuntime(later)
  const call = () => scriptedModel({ calls: [{ id: 'call-1', name: 'trip__later', input: {} }] })
  const hasty = call()
  const set = { trip__later: tool(runtime, ann, later, { run: 'hasty', waitMs: 0 }) }
  const { steps } = await generateText({
    model: hasty,
    tools: set,
    prompt: 'Go.',
    stopWhen: isStepCount(2),
  })
  expect(steps[0]?.toolResults[0]?.output).toMatchObject({
    status: 'accepted',
    jobId: expect.any(String),
  })
  expect(toolResultsIn(hasty)).toMatchObject([{ value: expect.stringContaining('not done yet') }])
  runtime.start()
  try {
    const patient = { trip__later: tool(runtime, ann, later, { run: 'patient' }) }
    const { toolResults } = await generateText({ model: call(), tools: patient, prompt: 'Go.' })
    expect(toolResults[0]?.output).toMatchObject({ status: 'done', data: 'booked' })
  } finally {
    await runtime.stop()
  }
})

test('whoever stops waiting for a job is told that it goes on, not that it was stopped', async () => {
  const runtime = openRuntime(later)
  const stopping = new AbortController()
  const answer: typeof runtime.answer = (...asked) => {
    // the job has been taken on, and its answer is looked for
    stopping.abort()
    return runtime.answer(...asked)
  }
  const waiting = tool({ ...runtime, answer }, ann, later, { run: 'chat 1' })
  const output = await waiting.execute?.(
    {},
    { toolCallId: 'call-1', messages: [], abortSignal: stopping.signal, context: {} },
  )
  expect(output).toMatchObject({ status: 'accepted', jobId: expect.any(String) })
})

test('a store that does not answer while a job is waited for does not make it a failure', async () => {
  const runtime = openRuntime(later)
  const waiting = tool({ ...runtime, answer: noAnswer }, ann, later, { run: 'chat 1' })
  const output = await waiting.execute?.({}, { toolCallId: 'call-1', messages: [], context: {} })
  expect(output).toMatchObject({ status: 'accepted', jobId: expect.any(String) })
})

test('once an approval has counted, a store that does not answer makes it neither a failure nor a question again', async () => {
  const { runtime, done } = bookable()
  const options = { run: 'chat 1', host: HOST }
  const model = scriptedModel({ calls: [{ id: 'call-1', name: 'trip__book', input: {} }] })
  const asked = await post({ runtime, caller: ann }, asks('Book.'), model, options)
  const answered = await post(
    { runtime: { ...runtime, answer: noAnswer }, caller: ann },
    respond(asked, 'yes'),
    scriptedModel(),
    options,
  )
  expect(done).toEqual(['booked'])
  const [question] = await runtime.approvals.list('acme')
  const { callId } = question ?? {}
  expect(toolParts(answered)).toMatchObject([
    { state: 'output-available', output: { status: 'accepted', callId, jobId: callId } },
  ])
})

test('an approval that does not count leaves it a question, though a store does not answer', async () => {
  const { runtime, done } = bookable()
  const model = scriptedModel({ calls: [{ id: 'call-1', name: 'trip__book', input: {} }] })
  const asked = await post({ runtime, caller: ann }, asks('Book.'), model, {
    run: 'chat 1',
    host: HOST,
  })
  const people = { runtime: { ...runtime, answer: noAnswer }, caller: ann }
  const answered = await post(people, respond(asked, 'yes'), scriptedModel(), {
    run: 'chat 1',
    host: 'another app',
  })
  expect(toolParts(answered)).toMatchObject([
    { errorText: expect.stringContaining('Nothing has been done yet') },
  ])
  expect(done).toEqual([])
})

async function noAnswer(): Promise<never> {
  throw new ToolError('TOOL_STORAGE_ERROR', 'The database does not answer.')
}

/** A trip that is booked once somebody approves; its tenant trusts the chat. */
function bookable() {
  const done: string[] = []
  const book = defineTool({
    ...about,
    id: 'trip.book',
    input: z.object({}),
    output: z.string(),
    contract: {
      effect: 'writes.trip',
      reversible: true,
      idempotency: 'caller',
      approval: () => 'Book?',
    },
    async execute() {
      done.push('booked')
      return 'booked'
    },
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'trip', tools: [book] })],
    stores: memoryStores(),
    policyOf: () => ({ version: 1, trustedHosts: [HOST] }),
  })
  return { runtime, done }
}

test('where a worker does what a person approved, the chat waits for it', async () => {
  const { runtime, done } = bookable()
  runtime.start()
  try {
    const options = { run: 'chat 1', host: HOST }
    const people = { runtime, caller: ann }
    const asked = await post(
      people,
      asks('Book.'),
      scriptedModel({ calls: [{ id: 'call-1', name: 'trip__book', input: {} }] }),
      options,
    )
    const answered = await post(people, respond(asked, 'yes'), scriptedModel(), options)
    expect(toolParts(answered)).toMatchObject([{ output: { status: 'done', data: 'booked' } }])
    expect(done).toEqual(['booked'])
  } finally {
    await runtime.stop()
  }
})

test('progress is told as preliminary output while the call runs, and the answer last', async () => {
  let wake = () => {}
  const walk = telling(
    () =>
      new Promise((resolve) => {
        wake = resolve
      }),
  )
  const runtime = openRuntime(walk)
  const model = scriptedModel({ calls: [{ id: 'call-1', name: 'trip__walk', input: {} }] })
  const result = streamText({
    model,
    tools: { trip__walk: tool(runtime, ann, walk, { progress: 'preliminary' }) },
    prompt: 'Walk.',
    stopWhen: isStepCount(2),
  })
  const outputs: unknown[] = []
  for await (const part of result.stream) {
    if (part.type !== 'tool-result' || part.dynamic) continue
    outputs.push({ preliminary: part.preliminary === true, ...part.output })
    // the tool goes on only once what it told has come out at the other end
    wake()
  }
  const answer = {
    status: 'done',
    data: 'home',
    callId: expect.any(String),
    notes: [],
    degraded: false,
  }
  expect(outputs).toEqual([
    { preliminary: true, status: 'running', fraction: 0.5, message: 'half way' },
    { preliminary: true, status: 'running', fraction: 0.9 },
    { preliminary: true, ...answer },
    { preliminary: false, ...answer },
  ])
  expect(toolResultsIn(model)).toEqual([{ id: 'call-1', type: 'text', value: 'home' }])
})

test('a failure after some progress is thrown all the same', async () => {
  const failing = defineTool({
    ...about,
    id: 'trip.fall',
    input: z.object({}),
    output: z.string(),
    contract: { effect: 'read', retries: 0 },
    async execute({ report }) {
      report({ message: 'so far so good' })
      throw new Error('fell')
    },
  })
  const runtime = openRuntime(failing)
  const set = { trip__fall: tool(runtime, ann, failing, { progress: 'preliminary' }) }
  const { content } = await generateText({
    model: scriptedModel({ calls: [{ id: 'call-1', name: 'trip__fall', input: {} }] }),
    tools: set,
    prompt: 'Go.',
  })
  expect(content).toMatchObject([
    { type: 'tool-call' },
    { type: 'tool-error', error: { envelope: { error: { code: 'TOOL_INTERNAL_ERROR' } } } },
  ])
})
