import { createRuntime, type Runtime } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { systemClock } from '@surehand/core/ports'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestServer, root, type TestServer } from './fixtures/open-test-server.ts'
import { tripPack } from './fixtures/trip-pack.ts'

const system = systemClock()
// what waits for fifteen seconds waits for a moment: streams show that they are alive, and look
// whether they are welcome
const hasty = {
  ...system,
  after: (delayMs: number, run: () => void) => system.after(delayMs === 15_000 ? 20 : delayMs, run),
}

let server: TestServer
let other: Runtime
let under: Driving[]
beforeAll(async () => {
  server = await openTestServer({ clock: hasty })
})
afterAll(() => server.close())
beforeEach(() => {
  under = []
  // the node that drives; the one with the door only watches
  other = createRuntime({ packs: [tripPack(drive)], stores: server.stores })
  other.start()
})
afterEach(async () => {
  for (const { arrive } of under) arrive(0)
  await other.stop()
})

type Driving = {
  readonly report: (progress: Progress) => void
  readonly arrive: (km: number) => void
}

function drive(report: Driving['report']): Promise<number> {
  return new Promise((arrive) => under.push({ report, arrive }))
}

async function driving(): Promise<Driving> {
  await expect.poll(() => under.length).toBe(1)
  return under[0] as Driving
}

const call = (tool: string, key: string, headers: Record<string, string> = {}) =>
  server.send(
    'POST',
    `/v1/tools/${tool}/call`,
    { to: 'Oslo' },
    { headers: { 'idempotency-key': key, ...headers } },
  )

async function begin(tool: string, key: string): Promise<string> {
  const { metadata } = (await (await call(tool, key)).json()) as {
    readonly metadata: { readonly call_id: string }
  }
  return metadata.call_id
}

/** A stream as it is heard, piece by piece. */
function listenTo(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const waitForEnd = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
    }
  })()
  const events = () =>
    text
      .split('\n\n')
      .filter((event) => event.startsWith('event: '))
      .map(
        (event) =>
          [
            event.split('\n')[0]?.slice(7),
            JSON.parse(event.split('\ndata: ')[1] ?? 'null'),
          ] as const,
      )
  return {
    waitForEnd,
    leave: () => reader.cancel(),
    text: () => text,
    events,
    names: () => events().map(([name]) => name),
    last: () => events().at(-1)?.[1] as Record<string, unknown>,
    heard: (message: string) => expect.poll(() => text).toContain(message),
  }
}

describe('the events of a call', () => {
  test('stream the progress of another node, each report once, and the envelope last', async () => {
    const callId = await begin('trip.drive', 'events-1')
    const { report, arrive } = await driving()
    const stream = listenTo(await server.get(`/v1/calls/${callId}/events`))
    report({ fraction: 0.25, message: 'Graz' })
    await stream.heard('Graz')
    report({ fraction: 0.5, message: 'Linz' })
    await stream.heard('Linz')
    expect(stream.names()).toEqual(['progress', 'progress'])
    arrive(400)
    await stream.waitForEnd
    expect(stream.names()).toEqual(['progress', 'progress', 'envelope'])
    expect(stream.last()).toMatchObject({ status: 'success', command: 'trip.drive', data: 400 })
  })

  test('of a run end when it comes to a question, with where it is answered', async () => {
    const callId = await begin('trip.tour', 'events-2')
    const { arrive } = await driving()
    const stream = listenTo(await server.get(`/v1/calls/${callId}/events`))
    arrive(7)
    await stream.waitForEnd
    expect(stream.last()).toMatchObject({
      error: { code: 'TOOL_INPUT_REQUIRED' },
      metadata: {
        asking: {
          asks: 'How were the 7 km?',
          url: expect.stringContaining(`${server.url}/questions/ques_`),
        },
      },
    })
    const again = listenTo(await server.get(`/v1/calls/${callId}/events`))
    await again.waitForEnd
    expect(again.names().at(-1)).toBe('envelope')
  })

  test('of a call that has ended are its envelope', async () => {
    const callId = await begin('trip.drive', 'events-3')
    ;(await driving()).arrive(5)
    await expect.poll(async () => (await server.get(`/v1/calls/${callId}`)).status).toBe(200)
    const stream = listenTo(await server.get(`/v1/calls/${callId}/events`))
    await stream.waitForEnd
    expect(stream.names()).toEqual(['envelope'])
    expect(stream.last()).toMatchObject({ data: 5 })
  })

  test('end with how it stands after the time that was asked for', async () => {
    const callId = await begin('trip.drive', 'events-4')
    const stream = listenTo(
      await server.get(`/v1/calls/${callId}/events`, server.tokens.ann, { prefer: 'wait=0.05' }),
    )
    await stream.waitForEnd
    expect(stream.last()).toMatchObject({
      status: 'success',
      data: null,
      metadata: { job: { id: callId } },
    })
  })

  test('are kept alive, and end when the token is revoked', async () => {
    const callId = await begin('trip.drive', 'events-5')
    const made = await server.identityApi.tokens.create(root, { principal: 'ann', name: 'watcher' })
    const stream = listenTo(await server.get(`/v1/calls/${callId}/events`, made.token))
    await stream.heard(': still here\n\n: still here\n\n')
    await server.identityApi.tokens.revoke(root, made.id)
    await stream.waitForEnd
    expect(stream.names()).toEqual([])
  })

  test('end when the client disconnects, and the call continues', async () => {
    const callId = await begin('trip.drive', 'events-6')
    const { arrive } = await driving()
    const looks = countLooks(server.runtime)
    const quiet = await openTestServer({ runtime: looks.runtime, clock: hasty })
    const response = await fetch(`${quiet.url}/v1/calls/${callId}/events`, {
      headers: { authorization: `Bearer ${quiet.tokens.ann}` },
    })
    const stream = listenTo(response)
    await stream.heard(': still here')
    await stream.leave()
    await expect.poll(looks.isQuiet, { interval: 2_500 }).toBe(true)
    await quiet.close()
    arrive(6)
    await expect.poll(async () => (await server.get(`/v1/calls/${callId}`)).status).toBe(200)
  })
})

/** The runtime, with who asks it for progress counted. */
function countLooks(runtime: Runtime) {
  let looks = 0
  let before = -1
  const progress: Runtime['progress'] = (caller, callId) => {
    looks++
    return runtime.progress(caller, callId)
  }
  return {
    runtime: { ...runtime, progress },
    /** Nobody has looked since this was asked last. */
    isQuiet() {
      const isQuiet = looks === before
      before = looks
      return isQuiet
    },
  }
}

describe('a call of a job, for clients that accept events', () => {
  const events = { accept: 'text/event-stream' }

  test('streams the progress from another node until the answer, within the wait', async () => {
    const calling = call('trip.drive', 'call-1', { ...events, prefer: 'wait=60' })
    const { report, arrive } = await driving()
    const stream = listenTo(await calling)
    report({ fraction: 0.5, message: 'halfway' })
    await stream.heard('halfway')
    arrive(12)
    await stream.waitForEnd
    expect(stream.names()).toEqual(['progress', 'envelope'])
    expect(stream.last()).toMatchObject({ status: 'success', data: 12 })
  })

  test('ends with the job where no wait was asked for', async () => {
    const stream = listenTo(await call('trip.drive', 'call-2', events))
    await stream.waitForEnd
    expect(stream.last()).toMatchObject({
      data: null,
      metadata: { job: { id: expect.any(String) } },
    })
  })

  test('ends with the question a run comes to', async () => {
    const stream = listenTo(await call('trip.plan', 'call-3', { ...events, prefer: 'wait=60' }))
    await stream.waitForEnd
    expect(stream.last()).toMatchObject({ error: { code: 'TOOL_INPUT_REQUIRED' } })
  })
})

test('an exception on the way is reported as the envelope', async () => {
  const callId = await begin('trip.drive', 'trouble')
  let looks = 0
  const answer: Runtime['answer'] = (caller, id) => {
    if (++looks > 2) throw new Error('secret words of a bug')
    return server.runtime.answer(caller, id)
  }
  const troubles: unknown[] = []
  const broken = await openTestServer({
    runtime: { ...server.runtime, answer },
    onError: (thrown) => troubles.push(thrown),
  })
  const stream = listenTo(
    await fetch(`${broken.url}/v1/calls/${callId}/events`, {
      headers: { authorization: `Bearer ${broken.tokens.ann}` },
    }),
  )
  await stream.waitForEnd
  expect(stream.last()).toMatchObject({
    status: 'error',
    command: 'calls.events',
    error: { code: 'TOOL_INTERNAL_ERROR' },
  })
  expect(stream.text()).not.toContain('secret words')
  expect(troubles).toHaveLength(1)
  await broken.close()
})
