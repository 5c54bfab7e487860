import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fakeMessenger } from '../testing/fake-messenger.ts'
import { conversation, EXAMPLE_ROWS, request, vendor } from '../testing/market-rows.ts'
import {
  MARKET_NOW,
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
} from '../testing/market-world.ts'
import { readCallback } from './messages/deliver-message.ts'
import type { MarketEvent } from './messages/market-event.ts'
import { documentTools, internalTools } from './pack.ts'

let url: string
let database: MarketDatabase
beforeAll(async () => {
  url = await createEmptyDatabase(inject('postgres'))
  database = await openMarketDatabase({ postgresUrl: url })
})
afterAll(async () => {
  await database.close()
  await dropDatabase(url)
})

const SETTINGS = { CALLING_ENABLED: 'true', OCR_ENABLED: 'true', WHATSAPP_CALL_OFFER: 'v=0' }
const CLIENT = '250788555091'
const PHONES = ['250788100001', '250788100002', '250788100003']

let count = 0
function message(from: string, text: string): MarketEvent {
  count++
  return { kind: 'message', id: `in-${count}`, from, at: MARKET_NOW + count, type: 'text', text }
}

test('every example of every tool works on PostgreSQL', async () => {
  const failed: string[] = []
  for (const tool of [...documentTools, ...internalTools])
    for (const example of tool.examples) {
      if (tool.kind === 'async') continue
      const world = await database.open({ rows: EXAMPLE_ROWS, settings: SETTINGS })
      const answer = await world.call(tool.id, example.input)
      if (answer.status !== 'success')
        failed.push(`${tool.id} "${example.name}": ${answer.error?.code} ${answer.error?.message}`)
      await world.close()
    }
  expect(failed).toEqual([])
}, 120_000)

// A node that waits for the call of another looks again after a pause of its clock.
async function whileTimePasses(
  work: Promise<unknown>,
  nodes: readonly MarketWorld[],
): Promise<void> {
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    for (const { clock } of nodes) await clock.advance(20)
  }
  await work
}

test('three nodes that act on the same events at once ask each vendor once and send one shortlist', async () => {
  const messenger = fakeMessenger()
  const first = await database.open({
    tenant: 'shared',
    messenger,
    rows: [...vendor('ven_1'), ...vendor('ven_2'), ...vendor('ven_3')],
    settings: SETTINGS,
  })
  const nodes = [
    first,
    await database.open({ tenant: 'shared', messenger, settings: SETTINGS }),
    await database.open({ tenant: 'shared', messenger, settings: SETTINGS }),
  ]
  // A node that loses a race may fail: its job is driven again.
  const everywhere = async (event: MarketEvent): Promise<void> => {
    await whileTimePasses(Promise.allSettled(nodes.map((node) => node.receive(event))), nodes)
    await first.receive(event)
  }
  await everywhere(message(CLIENT, 'I need amoxicillin 500 mg near Kimironko'))
  await Promise.all(PHONES.map((phone) => everywhere(message(phone, 'Yes, 12k'))))
  await whileTimePasses(Promise.all(nodes.map((node) => node.runDueWork())), nodes)
  const [row] = await first.query("select state from mk_requests where tenant = 'shared'")
  expect(row?.state).toBe('shortlist_ready')
  const ids = messenger.sent.map(({ callback }) => readCallback(callback)?.messageId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(messenger.sent.filter(({ to }) => PHONES.includes(to))).toHaveLength(3)
  expect(
    messenger.sent.filter(
      ({ content }) => 'text' in content && content.text.startsWith('These vendors'),
    ),
  ).toHaveLength(1)
  for (const node of nodes) await node.close()
}, 60_000)

test('ten messages at once from two nodes to one vendor: one is sent, nine are queued', async () => {
  const messenger = fakeMessenger()
  const settings = { MARKETPLACE_ORCHESTRATOR: 'off' }
  const requests = Array.from({ length: 10 }, (_, index) => `req_${index}`)
  const rows = [
    conversation('cnv_1'),
    ...requests.map((id) => request(id, { state: 'vendor_outreach' })),
    ...vendor('ven_1'),
  ]
  const first = await database.open({ tenant: 'crowded', messenger, rows, settings })
  const second = await database.open({ tenant: 'crowded', messenger, settings })
  const nodes = [first, second]
  const answers: unknown[] = []
  await whileTimePasses(
    Promise.all(
      requests.map(async (id, index) => {
        const node = index % 2 === 0 ? first : second
        const order = { request_id: id, vendor_id: 'ven_1', message: 'Do you have it?' }
        answers.push((await node.call('marketplace.send_vendor_message', order)).data)
      }),
    ),
    nodes,
  )
  expect(messenger.sent).toHaveLength(1)
  expect(
    answers.filter((data) => JSON.stringify(data).includes('provider_message_id')),
  ).toHaveLength(1)
  const states = await first.query(
    "select state, count(*) as n from mk_outreach where tenant = 'crowded' group by state order by state",
  )
  expect(states.map(({ state, n }) => [state, Number(n)])).toEqual([
    ['queued', 9],
    ['sent', 1],
  ])
  for (const node of nodes) await node.close()
}, 60_000)
