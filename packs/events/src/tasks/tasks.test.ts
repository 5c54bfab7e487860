import { contractSuite, type FakeClock, fakeClock, inFlight } from '@surehand/conformance'
import { createRuntime, definePack, memoryStores, type Outcome } from '@surehand/core'
import type { ValueStore } from '@surehand/core/ports'
import { type Emulator, type FaultForm, startEmulator } from '@surehand/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { ANN, localWorld } from '../fixtures/local-world.ts'
import { routes } from './emulators/google-tasks.ts'
import { googleTasks } from './providers/google-tasks.ts'
import { ownTodos } from './providers/own-todos.ts'
import { tasksWrite } from './tasks-write.ts'

contractSuite(tasksWrite, {
  open: localWorld(() => {
    const { values } = memoryStores()
    return {
      providers: { todos: ownTodos(values) },
      effects: async () => (await values.list('home', 'events/todos/')).length,
    }
  }),
})

let emulator: Emulator | undefined
afterEach(() => emulator?.stop())

const INPUT = {
  eventId: 'evt_1',
  todos: [
    { title: 'Buy tickets', dueDate: '2026-05-10T23:30:00-08:00' },
    { title: 'Pack', notes: 'Both bags.' },
  ],
}

async function open() {
  emulator = await startEmulator({ routes: routes })
  const flight = inFlight()
  const clock = fakeClock(undefined, flight.rest)
  const todos = flight.watched(
    googleTasks({ baseUrl: emulator.url, key: 'token', fetchFor: () => fetch }),
  )
  const packs = [definePack({ name: 'p', tools: [tasksWrite] })]
  const runtime = createRuntime({
    packs,
    stores: memoryStores({ clock }),
    clock,
    providers: { todos },
  })
  const call = (key: string) =>
    runtime.call({
      tool: 'tasks.write',
      input: INPUT,
      caller: ANN,
      surface: 'test',
      idempotencyKey: key,
    })
  return { emulator, call, clock }
}

// Google accepts no key: after a failure the next attempt waits until the first request has settled.
async function until(done: Promise<Outcome>, clock: FakeClock): Promise<Outcome> {
  const answered: { outcome?: Outcome } = {}
  void done.then((outcome) => Object.assign(answered, { outcome }))
  while (answered.outcome === undefined) await clock.advance(1_000)
  return answered.outcome
}

describe('Google Tasks', () => {
  test('stores the date as it was written, and the notes', async () => {
    const { emulator, call } = await open()
    expect(await call('k1')).toMatchObject({
      status: 'done',
      data: { taskIds: [expect.any(String), expect.any(String)] },
    })
    expect(emulator.effects().map(({ effect }) => effect)).toMatchObject([
      { title: 'Buy tickets', due: '2026-05-10T00:00:00.000Z' },
      { title: 'Pack', notes: expect.stringMatching(/^Both bags\.\n\n\[surehand:[0-9a-f]{24}\]$/) },
    ])
  })

  test.each<[string, FaultForm]>([
    ['loses its connection after the write', { kind: 'reset', when: 'after' }],
    ['fails after the write', { kind: '500', when: 'after' }],
    ['has a truncated answer', { kind: 'malformed' }],
    ['is rate limited', { kind: '429', retryAfterSeconds: 0 }],
  ])(
    'has each task once, although the first insert %s',
    async (_, fault) => {
      const { emulator, call, clock } = await open()
      emulator.fail(fault, { target: { method: 'POST' } })
      const first = await until(call('k1'), clock)
      await clock.advance(60_000)
      const again = first.status === 'done' ? first : await until(call('k1'), clock)
      expect(again).toMatchObject({ status: 'done' })
      expect(
        emulator.effects().map(({ effect }) => (effect as { readonly title: string }).title),
      ).toEqual(['Buy tickets', 'Pack'])
    },
    60_000,
  )

  test('writes the tasks again under another key', async () => {
    const { emulator, call } = await open()
    await call('k1')
    await call('k2')
    expect(emulator.effects()).toHaveLength(4)
  })
})

test('the local list separates the tasks of two people', async () => {
  const values: ValueStore = memoryStores().values
  const todos = ownTodos(values)
  const request = { tenant: 'home', eventId: 'e', todos: [{ title: 'x' }], idempotencyKey: 'k' }
  await todos.write({ ...request, principal: 'ann' }, new AbortController().signal)
  const query = { idempotencyKey: 'k', args: { ...request, principal: 'bob' } }
  expect(await todos.written(query, new AbortController().signal)).toBeNull()
})
