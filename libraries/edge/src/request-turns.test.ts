import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAnswering } from './answering.ts'
import { LIGHT_MS } from './recent-clients.ts'
import { createRequestTurns } from './request-turns.ts'

/** Requests that note their names when they are started. */
function noteStarts() {
  const started: string[] = []
  return {
    started,
    nameRequest: (name: string, connection?: string) => ({
      start: () => void started.push(name),
      connection: connection ?? Symbol('its own'),
    }),
  }
}

test('requests of one turn are started in it, in order, and all before the first continues', async () => {
  const events: string[] = []
  const { startFast } = createRequestTurns({ nowMs: () => 0 })
  const nameRequest = (name: string) => ({
    async start() {
      events.push(`starts ${name}`)
      await undefined
      events.push(`continues ${name}`)
    },
  })
  startFast(nameRequest('a'), 'ann')
  startFast(nameRequest('b'), 'ann')
  expect(events).toEqual([])
  await turn()
  expect(events).toEqual(['starts a', 'starts b', 'continues a', 'continues b'])
  startFast(nameRequest('c'), 'ann')
  await turn()
  expect(events.slice(4)).toEqual(['starts c', 'continues c'])
})

test('of many requests so many are started in a turn, those of one client in order', async () => {
  const { started, nameRequest } = noteStarts()
  const { startFast } = createRequestTurns({ nowMs: () => 0 })
  for (let index = 0; index < 100; index++) startFast(nameRequest(String(index)), 'greedy')
  const after: number[] = []
  for (let turns = 0; turns < 4; turns++) {
    await turn()
    after.push(started.length)
  }
  expect(after).toEqual([32, 64, 96, 100])
  expect(started).toEqual(Array.from({ length: 100 }, (_, index) => String(index)))
})

test('a client that arrives behind many requests of another is the first of the next turn', async () => {
  const { started, nameRequest } = noteStarts()
  const { startFast } = createRequestTurns({ nowMs: () => 0 })
  for (let index = 0; index < 100; index++) startFast(nameRequest('greedy'), 'greedy')
  await turn()
  startFast(nameRequest('ann'), 'ann')
  await turn()
  expect(started.slice(32)).toEqual(['ann', ...Array(7).fill('greedy')])
})

test('while there are other clients, few of one client are started in a turn, and one while another asks for little', async () => {
  let now = 0
  let lights = 0
  const { started, nameRequest } = noteStarts()
  const { startFast } = createRequestTurns({ nowMs: () => now, onLight: () => lights++ })
  for (let index = 0; index < 80; index++) startFast(nameRequest('greedy'), 'greedy')
  await turn()
  expect(lights).toBe(0)
  startFast(nameRequest('ann'), 'ann')
  await turn()
  expect([started.length, lights]).toEqual([40, 1])
  for (let turns = 1; turns <= 4; turns++) {
    await turn()
    expect(started.length).toBeLessThanOrEqual(40 + turns)
  }
  const beside = started.length
  expect(beside).toBeGreaterThan(40)
  now += LIGHT_MS
  await turn()
  await turn()
  expect(started.length).toBeGreaterThanOrEqual(beside + 4)
  for (let turns = 0; turns < 300; turns++) {
    startFast(nameRequest('greedy'), 'greedy')
    await turn()
  }
  const before = started.length
  for (let index = 0; index < 40; index++) startFast(nameRequest('greedy'), 'greedy')
  await turn()
  expect(started.length - before).toBe(32)
})

test('a client that sends many at once is known as heavy at once, beside one that has sent more one by one', async () => {
  let lights = 0
  const { nameRequest } = noteStarts()
  const { startFast } = createRequestTurns({ nowMs: () => 0, onLight: () => lights++ })
  for (let index = 0; index < 60; index++) {
    startFast(nameRequest('ann'), 'ann')
    await turn()
  }
  for (let index = 0; index < 32; index++) startFast(nameRequest('greedy'), 'greedy')
  await turn()
  expect(lights).toBe(0)
  startFast(nameRequest('ann'), 'ann')
  await turn()
  expect(lights).toBe(1)
})

test('of requests that take long, one of each client is started in a turn', async () => {
  let nowMs = 0
  const started: string[] = []
  const { startFast } = createRequestTurns({ nowMs: () => nowMs })
  const long = (name: string) => ({
    async start() {
      started.push(name)
      await undefined
      nowMs += 5
    },
  })
  const afterTurns: string[][] = []
  for (const client of ['greedy', 'ann', 'ben'])
    for (let index = 0; index < 20; index++) startFast(long(client), client)
  for (let turns = 0; turns < 3; turns++) {
    await turn()
    afterTurns.push(started.splice(0))
  }
  expect(afterTurns[0]).toHaveLength(12)
  expect(afterTurns.slice(1)).toEqual([
    ['greedy', 'ann', 'ben'],
    ['greedy', 'ann', 'ben'],
  ])
})

test("the first requests of Node's server are started at once, the rest in the next turns", async () => {
  const { started, nameRequest } = noteStarts()
  const { startOnNode } = createRequestTurns({ nowMs: () => 0 })
  for (let index = 0; index < 20; index++) startOnNode(nameRequest('greedy'), 'greedy')
  expect(started).toHaveLength(8)
  await turn()
  expect(started).toHaveLength(16)
  await turn()
  await turn()
  expect(started).toHaveLength(20)
  startOnNode(nameRequest('greedy'), 'greedy')
  expect(started).toHaveLength(21)
})

test("one request of Node's server is started in a turn while another client uses the fast path", async () => {
  const { started, nameRequest } = noteStarts()
  const { startFast, startOnNode } = createRequestTurns({ nowMs: () => 0 })
  startFast(nameRequest('ann'), 'ann')
  await turn()
  for (let index = 0; index < 20; index++) startOnNode(nameRequest('greedy'), 'greedy')
  expect(started).toEqual(['ann', 'greedy'])
  await turn()
  expect(started).toEqual(['ann', 'greedy'])
  await turn()
  startFast(nameRequest('ann again'), 'ann')
  await turn()
  expect(started.slice(2)).toEqual(['greedy', 'ann again', 'greedy'])
})

test('requests of one connection that arrive together are started together', async () => {
  const { started, nameRequest } = noteStarts()
  const { startFast, startOnNode } = createRequestTurns({ nowMs: () => 0 })
  startFast(nameRequest('ann'), 'ann')
  await turn()
  for (const name of ['a', 'b', 'c']) startOnNode(nameRequest(name, 'pipelined'), 'greedy')
  startOnNode(nameRequest('d'), 'greedy')
  expect(started).toEqual(['ann', 'a', 'b', 'c'])
  await turn()
  await turn()
  expect(started.slice(4)).toEqual(['d'])
})

test("a request of the fast path has ended before one of Node's server is started in its turn", async () => {
  const events: string[] = []
  const { startFast, startOnNode } = createRequestTurns({ nowMs: () => 0 })
  startFast({ start: () => undefined }, 'ann')
  await turn()
  const greedy = { start: () => void events.push('greedy starts'), connection: 1 }
  startOnNode({ start: () => undefined, connection: 0 }, 'greedy')
  startOnNode(greedy, 'greedy')
  await turn()
  startFast(
    {
      async start() {
        for (let awaited = 0; awaited < 10; awaited++) await undefined
        events.push('ann ends')
      },
    },
    'ann',
  )
  await turn()
  expect(events).toEqual(['ann ends', 'greedy starts'])
})

test("while another's call is being answered, a request of Node's server waits, but not for long", async () => {
  let nowMs = 0
  const { started, nameRequest } = noteStarts()
  const answering = createAnswering(() => nowMs)
  const { startFast, startOnNode } = createRequestTurns({ nowMs: () => nowMs, answering })
  const call = { start: () => void answering.begin() }
  startFast(call, 'ann')
  await turn()
  startOnNode(nameRequest('first'), 'greedy')
  startOnNode(nameRequest('second'), 'greedy')
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(started).toEqual([])
  // it was begun at 0
  answering.end(0)
  await expect.poll(() => started).toEqual(['first', 'second'])

  answering.begin()
  startOnNode(nameRequest('third'), 'greedy')
  await turn()
  expect(started).toHaveLength(2)
  nowMs += 2
  answering.begin()
  nowMs += 1
  await expect.poll(() => started).toEqual(['first', 'second', 'third'])
})

test('a request that throws does not stop the others', async () => {
  let now = 0
  const { started, nameRequest } = noteStarts()
  const { startFast } = createRequestTurns({ nowMs: () => now })
  const listeners = process.listeners('uncaughtException')
  const broke: string[] = []
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', ({ message }) => broke.push(message))
  const bad = {
    start(): void {
      throw new Error('broke')
    },
  }
  try {
    for (const request of [nameRequest('a'), bad, nameRequest('b'), nameRequest('c')])
      startFast(request, 'ann')
    await turn()
    await turn()
    // Beside another client, and alone in its turn.
    startFast(nameRequest('d'), 'bob')
    await turn()
    now += LIGHT_MS
    startFast(bad, 'ann')
    await turn()
    startFast(nameRequest('e'), 'ann')
    await turn()
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
  expect({ started, broke }).toEqual({
    started: ['a', 'b', 'c', 'd', 'e'],
    broke: ['broke', 'broke'],
  })
})

test('of several clients, the one that has asked least lately is answered before the others are started', async () => {
  let now = 0
  const events: string[] = []
  const { startFast } = createRequestTurns({ nowMs: () => now })
  const nameRequest = (name: string) => ({
    async start() {
      events.push(`starts ${name}`)
      await undefined
      events.push(`ends ${name}`)
    },
  })
  for (let index = 0; index < 20; index++) {
    startFast(nameRequest('busy'), 'busy')
    await turn()
  }
  startFast(nameRequest('ann'), 'ann')
  await turn()
  events.length = 0
  startFast(nameRequest('busy'), 'busy')
  startFast(nameRequest('ann'), 'ann')
  await turn()
  expect(events).toEqual(['starts ann', 'ends ann'])
  await turn()
  await turn()
  expect(events).toEqual(['starts ann', 'ends ann', 'starts busy', 'ends busy'])
  // What was asked for long ago does not count.
  now += 60_000
  startFast(nameRequest('ann'), 'ann')
  await turn()
  events.length = 0
  startFast(nameRequest('ann'), 'ann')
  startFast(nameRequest('busy'), 'busy')
  await turn()
  expect(events[0]).toBe('starts busy')
})
