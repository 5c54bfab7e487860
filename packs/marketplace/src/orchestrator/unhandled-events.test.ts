import { ToolError, type ToolErrorCode } from '@surehand/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { vendor } from '../../testing/market-rows.ts'
import {
  MARKET_NOW,
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
} from '../../testing/market-world.ts'
import type { MarketWork } from '../engine/market-context.ts'
import { eventKey, type MarketEvent, type MessageEvent } from '../messages/market-event.ts'
import { handleEvent } from './handle-event.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

const ROWS = [...vendor('ven_1'), ...vendor('ven_2'), ...vendor('ven_3')]
const FIRST: MessageEvent = {
  kind: 'message',
  id: 'wamid.in-1',
  from: '250788555001',
  at: MARKET_NOW,
  type: 'text',
  text: 'I need amoxicillin 500 mg near Kimironko',
}
const REPLY: MessageEvent = {
  ...FIRST,
  id: 'wamid.in-2',
  from: '250788100001',
  text: 'Yes we have it, 12k',
}

/** Stores the event as the webhook does; then so many processes die with it in hand. */
async function receiveAndDie(world: MarketWorld, deaths: number): Promise<string> {
  const { tenant } = world
  const queued = await world.call(
    'marketplace.handle_event',
    { event: FIRST },
    { caller: world.given.systemCaller(tenant), key: eventKey(FIRST) },
  )
  const callId = queued.metadata.job?.id ?? ''
  for (let claim = 0; claim <= deaths; claim++) {
    const row = await database.stores.calls.get(tenant, callId)
    if (row === undefined) throw new Error('the event is not stored')
    const expired = claim === 0 ? undefined : row
    // The last one is alive, and gives the claim back.
    const claimed = await database.stores.calls.claim({
      call: row,
      leaseMs: 1,
      resumes: true,
      expired,
    })
    if (claim === deaths && 'row' in claimed) await database.stores.calls.abandon(claimed.row)
  }
  return callId
}

/** What has become of the event after a worker has looked at it. */
async function recover(world: MarketWorld, callId: string): Promise<unknown> {
  world.runtime.start()
  for (;;) {
    await world.clock.advance(5_000)
    const row = await database.stores.calls.get(world.tenant, callId)
    if (row?.state === 'succeeded' || row?.state === 'unknown') return row.state
  }
}

const readAttention = (world: MarketWorld) =>
  world.query(
    'select a.kind, a.reason, m.body from mk_attention a left join mk_messages m on m.tenant = a.tenant and m.id = a.message_id where a.tenant = ?',
    world.tenant,
  )

test('an event that was in hand at many deaths of processes is handled by the next one', async () => {
  const world = await database.open({ rows: ROWS })
  const callId = await receiveAndDie(world, 8)
  expect(await recover(world, callId)).toBe('succeeded')
  // Three vendors and the client.
  expect(world.messenger.sent).toHaveLength(4)
  await world.close()
})

test('an event that ends its process again and again is given to a person, once', async () => {
  const world = await database.open({ rows: ROWS })
  const callId = await receiveAndDie(world, 20)
  expect(await recover(world, callId)).toBe('unknown')
  expect(await readAttention(world)).toEqual([])
  expect(await world.runDueWork()).toMatchObject({ unhandled: 1 })
  expect(await readAttention(world)).toEqual([
    {
      kind: 'unhandled_event',
      reason: expect.stringMatching(/wamid\.in-1 could not be handled: 20 processes ended/),
      body: 'I need amoxicillin 500 mg near Kimironko',
    },
  ])
  expect(await world.runDueWork()).toMatchObject({ unhandled: 0 })
  expect(world.messenger.sent).toEqual([])
  await world.close()
})

/** Acts on the event in a process that dies when it makes this many calls, then in another. */
async function receiveTwice(world: MarketWorld, event: MarketEvent, calls: number) {
  world.dieAfter(calls, 'dead')
  const hasDied = await world.receive(event).then(
    () => false,
    () => true,
  )
  world.dieAfter(0)
  await world.receive(event)
  return hasDied
}

test('wherever the process dies, a repeated event sends nothing twice and leaves nothing out', async () => {
  let died = 0
  for (let calls = 1; ; calls++) {
    const world = await database.open({ rows: vendor('ven_1') })
    const first = await receiveTwice(world, FIRST, calls)
    const reply = await receiveTwice(world, REPLY, calls)
    const sent = world.messenger.sent.map(({ to, content }) => `${to} ${JSON.stringify(content)}`)
    // The vendor is asked, the client is told so, and gets the list.
    expect([new Set(sent).size, sent.length], `dead at call ${calls}`).toEqual([3, 3])
    const replies = await world.query(
      'select provider_message_id from mk_replies where tenant = ?',
      world.tenant,
    )
    expect(replies).toEqual([{ provider_message_id: REPLY.id }])
    await world.close()
    if (!first && !reply) break
    died++
  }
  expect(died).toBeGreaterThan(10)
})

function handleWithFailingStep(code: ToolErrorCode) {
  const asked: unknown[] = []
  const work = {
    call: async ({ tool, input }: { tool: string; input: unknown }) => {
      if (tool === 'marketplace.store_message_state')
        return { status: 'failed', error: new ToolError(code, 'No.') }
      asked.push(input)
      return { status: 'done', data: {} }
    },
  } as unknown as MarketWork
  const event = { kind: 'status', id: 'wamid.1', status: 'sent', at: MARKET_NOW } as const
  return { asked, done: handleEvent(work, event) }
}

test.each(['TOOL_ALREADY_RUNNING', 'TOOL_RATE_LIMIT_EXCEEDED', 'TOOL_STORAGE_ERROR'] as const)(
  'an event whose step fails with %s is not at its end',
  async (code) => {
    const { asked, done } = handleWithFailingStep(code)
    await expect(done).rejects.toMatchObject({ code, effect: 'possible' })
    expect(asked).toEqual([])
  },
)

test('an event whose step is refused is given to a person', async () => {
  const { asked, done } = handleWithFailingStep('TOOL_RESOURCE_NOT_FOUND')
  expect(await done).toEqual({ done: 'a person looks at the event' })
  expect(asked).toMatchObject([{ kind: 'unhandled_event', subject: 'status/wamid.1/sent' }])
})
