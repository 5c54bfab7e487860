import type { ClientOptions } from '@modelcontextprotocol/client'
import { memoryStores } from '@surehand/core'
import { afterEach, describe, expect, test } from 'vitest'
import { TASKS_EXTENSION } from './capabilities.ts'
import { type RawClient, rawClient } from './fixtures/raw-client.ts'
import { type Era, type Served, serve } from './fixtures/serve.ts'
import { ann, HOST } from './fixtures/shop.ts'
import { openTrips, type Trips } from './fixtures/trips.ts'
import { ENVELOPE_META } from './reply.ts'

const capabilities = { elicitation: {}, extensions: { [TASKS_EXTENSION]: {} } }
const trusting = { version: 1, trustedHosts: [HOST] }

let served: Served | undefined
let nodes: Trips[] = []
afterEach(async () => {
  await served?.close()
  await Promise.all(nodes.map(({ runtime }) => runtime.stop()))
})

/** Two nodes on the same stores: clients come to the first, the second does the work. */
async function openNodes(): Promise<{ readonly worker: Trips; readonly opened: Served }> {
  const stores = memoryStores()
  const [server, worker] = [openTrips({ stores }), openTrips({ stores })]
  nodes = [server, worker]
  for (const { policies } of nodes) policies.set('acme', trusting)
  worker.runtime.start()
  served = await serve(server.runtime, { ann }, { hostOf: () => HOST })
  return { worker, opened: served }
}

type TaskResult = Readonly<Record<string, unknown>> | undefined

async function begin(
  { send }: RawClient,
  name: string,
): Promise<{ readonly taskId: string; readonly get: () => Promise<TaskResult> }> {
  const { result } = await send('tools/call', { name, arguments: {} })
  expect(result).toMatchObject({ resultType: 'task' })
  const taskId = String(result?.taskId)
  return { taskId, get: async () => (await send('tasks/get', { taskId })).result }
}

test('a task that asks is answered, one name a question, and continues on another node', async () => {
  const { worker, opened } = await openNodes()
  const client = rawClient(opened, 'ann', capabilities)
  const { taskId, get } = await begin(client, 'trip__planCarefully')
  await expect.poll(get).toMatchObject({ status: 'input_required' })
  const [question = ''] = Object.keys((await get())?.inputRequests as object)
  await client.send('tasks/update', {
    taskId,
    inputResponses: { [question]: { action: 'accept', content: { answer: 'Rome' } } },
  })
  await expect
    .poll(async () => Object.keys((await get())?.inputRequests ?? {}))
    .toEqual([expect.stringMatching(/^appr_/)])
  const [approval = ''] = Object.keys((await get())?.inputRequests as object)
  await client.send('tasks/update', {
    taskId,
    inputResponses: { [approval]: { action: 'accept', content: { confirm: true } } },
  })
  await expect
    .poll(get)
    .toMatchObject({ status: 'completed', result: { structuredContent: { city: 'Rome' } } })
  expect(worker.booked).toEqual(['Rome'])
})

test('a task whose form was declined still asks', async () => {
  const { opened } = await openNodes()
  const client = rawClient(opened, 'ann', capabilities)
  const { taskId, get } = await begin(client, 'trip__planCarefully')
  await expect.poll(get).toMatchObject({ status: 'input_required' })
  const before = await get()
  const [question = ''] = Object.keys(before?.inputRequests as object)
  await client.send('tasks/update', {
    taskId,
    inputResponses: { [question]: { action: 'decline' } },
  })
  expect(await get()).toMatchObject({
    status: 'input_required',
    inputRequests: before?.inputRequests,
  })
})

test('a task that asks where the client can’t ask says so', async () => {
  const { opened } = await openNodes()
  const { get } = await begin(
    rawClient(opened, 'ann', { extensions: capabilities.extensions }),
    'trip__planCarefully',
  )
  await expect.poll(get).toMatchObject({
    status: 'working',
    statusMessage: 'A person is asked: Which city?',
    _meta: { [ENVELOPE_META]: expect.anything() },
  })
})

test('a cancelled run compensates what it can, and its task says what it could not', async () => {
  const { worker, opened } = await openNodes()
  const client = rawClient(opened, 'ann', capabilities)
  const { taskId, get } = await begin(client, 'trip__tour')
  await expect.poll(get).toMatchObject({ status: 'input_required' })
  await client.send('tasks/cancel', { taskId })
  await expect.poll(get).toMatchObject({ status: 'cancelled' })
  const cancelled = await get()
  expect(cancelled?.statusMessage).toMatch(
    /\nUndone: first\nNot undone: second \(it declares no undo\)$/,
  )
  expect(cancelled?._meta).toMatchObject({
    [ENVELOPE_META]: {
      error: { details: { undone: [{ step: 'first' }], not_undone: [{ step: 'second' }] } },
    },
  })
  expect(worker.booked).toEqual(['Oslo', 'Bergen', '-Oslo'])
})

test('a run that fails says in its result which steps were compensated and which were not', async () => {
  const { opened } = await openNodes()
  const client = rawClient(opened, 'ann', capabilities)
  const { taskId, get } = await begin(client, 'trip__tour')
  await expect.poll(get).toMatchObject({ status: 'input_required' })
  const [question = ''] = Object.keys((await get())?.inputRequests as object)
  await client.send('tasks/update', {
    taskId,
    inputResponses: { [question]: { action: 'accept', content: { answer: true } } },
  })
  await expect.poll(get).toMatchObject({ status: 'completed', result: { isError: true } })
  expect(JSON.stringify((await get())?.result)).toMatch(/Undone: first\\nNot undone: second/)
})

describe('progress from another node', () => {
  test('is shown in the task', async () => {
    const { worker, opened } = await openNodes()
    const { get } = await begin(rawClient(opened, 'ann', capabilities), 'trip__walk')
    worker.walk({ fraction: 0.25, message: 'up the hill' })
    await expect.poll(get).toMatchObject({ status: 'working', statusMessage: '25 %: up the hill' })
    worker.walk({ message: 'down again' })
    await expect.poll(get).toMatchObject({ status: 'working', statusMessage: 'down again' })
    worker.walk('home')
    await expect.poll(get).toMatchObject({ status: 'completed' })
  })

  test.each<Era>(['2026', '2025'])(
    'is reported to a waiting client of %s, with increasing values',
    async (era) => {
      const { worker, opened } = await openNodes()
      const client = await opened.connect(era, 'ann')
      const words: (string | undefined)[] = []
      const numbers: number[] = []
      const answer = client.callTool(
        { name: 'trip__walk', arguments: {} },
        {
          onprogress: ({ progress, total, message }) => {
            expect(total).toBe(100)
            numbers.push(progress)
            words.push(message)
          },
        },
      )
      for (const word of [
        { fraction: 0.5, message: 'up' },
        { fraction: 0.2, message: 'back' },
        { message: 'on' },
      ]) {
        worker.walk(word)
        await expect.poll(() => words.at(-1)).toBe(word.message)
      }
      worker.walk('home')
      expect((await answer).content).toMatchObject([{ text: 'home' }])
      expect(words).toEqual(['up', 'back', 'on'])
      expect(numbers[0]).toBe(50)
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
      expect(new Set(numbers).size).toBe(3)
    },
  )
})

test.each<Era>(['2026', '2025'])(
  'a client of %s gets the progress of its run with values that increase over all rounds',
  async (era) => {
    const { opened } = await openNodes()
    const client = await opened.connect(era, 'ann', {
      capabilities: { elicitation: { form: {} } },
    } as ClientOptions)
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: 'accept',
      content: params.message.startsWith('Where') ? { city: 'Rome', nights: 1 } : { answer: true },
    }))
    const reports: { readonly progress: number; readonly message?: string | undefined }[] = []
    await client.callTool(
      { name: 'trip__plan', arguments: {} },
      { onprogress: (word) => reports.push(word) },
    )
    // the official client of 2026 speaks in between, of its own rounds; the last word may be
    // overtaken by the answer
    const ours = reports.filter(
      ({ message }) => !message?.startsWith('Fulfilling') && message !== 'booking',
    )
    // the code runs again after the first answer, and says its first word again
    expect(ours.map(({ message }) => message)).toEqual(['asking', 'asking'])
    expect(ours[0]?.progress).toBe(10)
    expect(ours[1]?.progress).toBeGreaterThan(10)
  },
)

test.each<Era>(['2026', '2025'])(
  'a client of %s gets a progress report once, though it is both sent and stored',
  async (era) => {
    const { worker, opened } = await openNodes()
    const client = await opened.connect(era, 'ann')
    const words: (string | undefined)[] = []
    const called = client.callTool(
      { name: 'trip__hike', arguments: {} },
      { onprogress: ({ message }) => words.push(message) },
    )
    const isParked = async () =>
      (await worker.runtime.openCalls(ann)).items.some(({ state }) => state === 'parked')
    await expect.poll(isParked).toBe(true)
    worker.walk('home')
    const answer = await called
    expect(answer.content).toMatchObject([{ text: 'home' }])
    expect(words).toEqual(['packing'])
  },
)

test('a client that subscribes to its task is notified of each change, until it has ended', async () => {
  const { worker, opened } = await openNodes()
  const client = rawClient(opened, 'ann', capabilities)
  const { taskId } = await begin(client, 'trip__walk')
  const words = client.listen('subscriptions/listen', {
    notifications: { taskIds: [taskId, 'call_0.0'] },
  })
  const next = async () => (await words.next()).value
  expect(await next()).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: { taskIds: [taskId] },
      _meta: { 'io.modelcontextprotocol/subscriptionId': 1 },
    },
  })
  expect(await next()).toMatchObject({
    method: 'notifications/tasks',
    params: { taskId, status: 'working' },
  })
  worker.walk({ fraction: 0.5 })
  expect(await next()).toMatchObject({
    method: 'notifications/tasks',
    params: { taskId, statusMessage: '50 %' },
  })
  worker.walk('home')
  expect(await next()).toMatchObject({
    params: { taskId, status: 'completed', result: { content: [{ text: 'home' }] } },
  })
  expect(await next()).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  expect((await words.next()).done).toBe(true)
})
