import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

const ANN: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: [],
  capabilities: [],
}

function open(kind: 'sync' | 'async') {
  let reads = 0
  const look = defineTool({
    id: 'web.look',
    kind,
    description: 'Looks.',
    input: z.object({ query: z.string(), fresh: z.boolean().default(false) }),
    output: z.object({ reads: z.int() }),
    contract: { effect: 'read', cache: { ttl: '1h', shared: true, fresh: 'fresh' } },
    execute: async () => ({ reads: ++reads }),
  })
  const clock = fakeClock()
  const runtime = createRuntime({ tools: [look], stores: memoryStores({ clock }), clock })
  const call = (input: object) =>
    runtime.call({ tool: 'web.look', input, caller: ANN, surface: 'test' })
  return { runtime, clock, call }
}

test('an answer that was asked for afresh renews the entry that other inputs read', async () => {
  const { call } = open('sync')
  expect(await call({ query: 'a' })).toMatchObject({ source: 'executed', data: { reads: 1 } })
  expect(await call({ query: 'a', fresh: true })).toMatchObject({ data: { reads: 2 } })
  expect(await call({ query: 'a' })).toMatchObject({ source: 'cached', data: { reads: 2 } })
  expect(await call({ query: 'b' })).toMatchObject({ source: 'executed', data: { reads: 3 } })
})

test('the answer of a read that a worker executed is cached', async () => {
  const { call, runtime, clock } = open('async')
  expect(await call({ query: 'a' })).toMatchObject({ status: 'accepted' })
  runtime.start()
  await clock.advance(10_000)
  expect(await call({ query: 'a' })).toMatchObject({ source: 'cached', data: { reads: 1 } })
  expect(await call({ query: 'a', fresh: true })).toMatchObject({ status: 'accepted' })
  await clock.advance(3_600_000)
  expect(await call({ query: 'a' })).toMatchObject({ status: 'accepted' })
  await runtime.stop()
})

test('a caller without a session has a derived one, which is stable and long enough', async () => {
  const me = defineTool({
    id: 'me.session',
    description: 'Names the session.',
    input: z.object({ sessionId: z.string().min(6) }),
    output: z.string(),
    contract: { effect: 'read' },
    fromCaller: { sessionId: 'session' },
    execute: async ({ input }) => input.sessionId,
  })
  const runtime = createRuntime({ tools: [me], stores: memoryStores() })
  const sessionOf = async (caller: Caller) =>
    (await runtime.call({
      tool: 'me.session',
      input: { sessionId: 'invented' },
      caller,
      surface: 'test',
    })) as { data?: string }
  const { data: first } = await sessionOf(ANN)
  expect(first).toMatch(/^derived-[0-9a-f]{24}$/)
  expect((await sessionOf(ANN)).data).toBe(first)
  expect((await sessionOf({ ...ANN, principal: 'bob' })).data).not.toBe(first)
  expect((await sessionOf({ ...ANN, session: 's1' })).data).toMatch(/^derived-/)
  expect((await sessionOf({ ...ANN, session: 'token:1' })).data).toBe('token:1')
})
