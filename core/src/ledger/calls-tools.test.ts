import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { CallRow } from '../call/call-row.ts'
import { ToolError } from '../call/tool-error.ts'
import { definePort, sameKey } from '../define/port.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import type { Stores } from '../ports/stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

type Inbox = { readonly handle: (args: null, signal: AbortSignal) => Promise<object> }

/** An event whose handling is a provider that only calls tools, queued, and what nodes do with it. */
async function queueEvent(handle: Inbox['handle'] = async () => ({})) {
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  const inbox = definePort<Inbox>(
    'inbox',
    { handle: sameKey({ validFor: '1d' }) },
    { callsTools: true },
  )
  const tool = defineTool({
    id: 'inbox.handle',
    title: 'Handle',
    category: 'custom',
    description: 'Handles an event.',
    kind: 'async',
    input: z.object({}),
    output: z.looseObject({}),
    contract: { effect: 'writes.event', reversible: true, idempotency: 'caller', timeout: '1s' },
    ports: { inbox },
    execute: async ({ ports, signal }) => ({ ...(await ports.inbox.handle(null, signal)) }),
  })
  const open = (of: Stores = stores) =>
    createRuntime({
      tools: [tool],
      stores: of,
      clock,
      providers: { inbox: { handle } },
      onUnexpectedError: () => undefined,
    })
  const queued = await open()
    .as({ principal: 'ann' })
    .call('inbox.handle', {}, { idempotencyKey: 'k' })
  const callId = queued.status === 'accepted' ? queued.jobId : ''
  const read = async (): Promise<CallRow> => {
    const row = await stores.calls.get('default', callId)
    if (row === undefined) throw new Error('the event is not stored')
    return row
  }
  return {
    stores,
    read,
    /** So many processes die one after the other with it in hand. */
    async die(deaths: number) {
      for (let claim = 0; claim < deaths; claim++) {
        const call = await read()
        const expired = call.state === 'queued' ? undefined : call
        await stores.calls.claim({ call, leaseMs: 1, resumes: true, expired })
        await clock.advance(1)
      }
    },
    /** A node works for this time. */
    async work(ms: number, of?: Stores) {
      const node = open(of)
      node.start()
      await clock.advance(ms)
      await node.stop()
      return read()
    },
  }
}

const SWEEP_MS = 5_000

test('a call whose provider only calls tools is quarantined as late as a run', async () => {
  const innocent = await queueEvent()
  await innocent.die(19)
  expect(await innocent.work(SWEEP_MS)).toMatchObject({ state: 'succeeded' })
  const poison = await queueEvent()
  await poison.die(20)
  expect(await poison.work(SWEEP_MS)).toMatchObject({ state: 'unknown', deaths: 20 })
})

test('from the third try on, it is held for longer, and the pause before the next one grows', async () => {
  const readLease = async (deaths: number): Promise<number> => {
    const { stores, die, work } = await queueEvent()
    await die(deaths)
    let leaseMs = 0
    const claim: Stores['calls']['claim'] = (request) => {
      leaseMs = request.leaseMs
      return stores.calls.claim(request)
    }
    await work(SWEEP_MS, { ...stores, calls: { ...stores.calls, claim } })
    return leaseMs / 30_000
  }
  const all = [0, 1, 2, 3, 4, 5, 6, 19].map(readLease)
  expect(await Promise.all(all)).toEqual([1, 1, 2, 4, 8, 16, 20, 20])
})

test('it is tried again after many deaths and a failure of the store', async () => {
  const { stores, die, work } = await queueEvent()
  await die(12)
  const startEffect = () => Promise.reject(new ToolError('TOOL_STORAGE_ERROR', 'Busy.'))
  const busy = { ...stores, calls: { ...stores.calls, startEffect } }
  expect(await work(SWEEP_MS, busy)).toMatchObject({ state: 'queued' })
  expect(await work(70_000)).toMatchObject({ state: 'succeeded' })
})

test('once it is given up, nothing says that it is continued', async () => {
  const { work } = await queueEvent(() => Promise.reject(new Error('a bug')))
  const { state, answer } = await work(3 * SWEEP_MS)
  expect([state, answer]).toMatchObject([
    'unknown',
    {
      code: 'TOOL_OUTCOME_UNKNOWN',
      message: expect.stringMatching(/^An unexpected error occurred.*is not tried again/),
    },
  ])
})
