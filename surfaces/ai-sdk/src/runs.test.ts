import { createRuntime, definePack, defineTool, memoryStores, ToolError } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { generateText, isStepCount, streamText } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { asks, post, respond, toolParts } from './fixtures/chat.ts'
import { scriptedModel, toolResultsIn } from './fixtures/scripted-model.ts'
import { ann, HOST } from './fixtures/shop.ts'
import { tool, tools } from './tools.ts'

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

/** Reports progress three times, each time after the report before was received. */
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

test('the model answers a tool that asks the model, and reads the result', async () => {
  const runtime = openRuntime(asking('model'))
  const set = await tools(runtime, ann, { run: 'chat 1' })
  const first = scriptedModel({ calls: [{ id: 'call-1', name: 'trip__plan', input: {} }] })
  await generateText({ model: first, tools: set, prompt: 'Plan.', stopWhen: isStepCount(2) })
  const [reported] = toolResultsIn(first)
  expect(reported).toMatchObject({
    type: 'text',
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

test('a tool that asks a person says where to answer, and the model cannot answer instead', async () => {
  const runtime = openRuntime(asking('person'))
  const set = await tools(runtime, ann, {
    run: 'chat 1',
    questionUrl: (id) => `https://approvals.example/questions/${id}`,
  })
  const model = scriptedModel({ calls: [{ id: 'call-1', name: 'trip__plan', input: {} }] })
  await generateText({ model, tools: set, prompt: 'Plan.', stopWhen: isStepCount(2) })
  const [reported] = toolResultsIn(model)
  expect(reported?.value).toMatch(
    /Asked: Which city\?\nA person answers here: https:\/\/approvals\.example\/questions\/\S+/,
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

test('a job is awaited; a host that does not wait is told that it was accepted, not that it is done', async () => {
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

test('a caller that stops waiting for a job is told that it continues, not that it was stopped', async () => {
  const runtime = openRuntime(later)
  const stopping = new AbortController()
  const answer: typeof runtime.answer = (...asked) => {
    // The job was accepted, and its answer is being polled.
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

test('a store that fails while a job is awaited does not make the job a failure', async () => {
  const runtime = openRuntime(later)
  const waiting = tool({ ...runtime, answer: noAnswer }, ann, later, { run: 'chat 1' })
  const output = await waiting.execute?.({}, { toolCallId: 'call-1', messages: [], context: {} })
  expect(output).toMatchObject({ status: 'accepted', jobId: expect.any(String) })
})

test('after an approval has counted, a store that fails makes the call neither failed nor pending again', async () => {
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

test('an approval that does not count leaves the request pending, even if a store fails', async () => {
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
    { output: { text: expect.stringContaining('Nothing has been done yet') } },
  ])
  expect(done).toEqual([])
})

async function noAnswer(): Promise<never> {
  throw new ToolError('TOOL_STORAGE_ERROR', 'The database does not answer.')
}

/** A trip that is booked after an approval; its tenant trusts the chat. */
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

test('the chat waits for a worker that runs an approved call', async () => {
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

test('progress is sent as preliminary output while the call runs, followed by the answer', async () => {
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
    // The tool continues only after its report was received.
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

test('a failure after progress reports is still thrown', async () => {
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
