import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conversation, outreach, request, vendor } from '../../testing/market-rows.ts'
import {
  AGENT,
  MARKET_NOW,
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
  type SeedRow,
} from '../../testing/market-world.ts'
import { isOpen } from './advance-request.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

const MINUTE = 60_000
// MARKET_NOW is a Thursday, 10:00 in Kigali.
const OPEN = JSON.stringify({ thu: [['08:00', '20:00']] })
const CLOSED = JSON.stringify({ thu: [['14:00', '20:00']] })

async function ask(world: MarketWorld, from = '250788555001'): Promise<void> {
  const text = 'I need amoxicillin near Kimironko'
  const at = world.clock.now()
  await world.receive({ kind: 'message', id: `ask-${from}`, from, at, type: 'text', text })
}

const readAsked = ({ messenger }: MarketWorld): readonly string[] =>
  messenger.sent.map(({ to }) => to).filter((to) => to.startsWith('250788100'))

const outreachOf = async ({ query, tenant }: MarketWorld) =>
  (
    await query(
      'select vendor_id, state from mk_outreach where tenant = ? order by vendor_id',
      tenant,
    )
  ).map(({ vendor_id: id, state }) => `${id} ${state}`)

test.each([
  ['2026-01-15T10:00:00+02:00', { thu: [['08:00', '20:00']] }, true],
  ['2026-01-15T20:00:00+02:00', { thu: [['08:00', '20:00']] }, false],
  [
    '2026-01-15T13:00:00+02:00',
    {
      thu: [
        ['08:00', '12:00'],
        ['14:00', '18:00'],
      ],
    },
    false,
  ],
  ['2026-01-18T10:00:00+02:00', { thu: [['08:00', '20:00']] }, false],
  ['2026-01-15T23:30:00Z', { fri: [['01:00', '02:00']] }, true],
])('at %s a shop with the hours %j is open: %s', (at, hours, expected) => {
  expect(isOpen(JSON.stringify(hours), 'Africa/Kigali', Date.parse(at))).toBe(expected)
})

describe('of the vendors that a search finds', () => {
  const open = (rows: readonly SeedRow[]) =>
    database.open({ rows, settings: { MARKETPLACE_VENDORS_PER_REQUEST: '2' } })

  test('those who are open and can be written to now are asked first', async () => {
    const world = await open([
      ...vendor('ven_1', { rating: 5, opening_hours: CLOSED }),
      ...vendor('ven_2', { rating: 4.9, last_outbound_at: MARKET_NOW - MINUTE }),
      ...vendor('ven_3', { rating: 3, opening_hours: OPEN }),
      ...vendor('ven_4', { rating: 2 }),
    ])
    await ask(world)
    expect(readAsked(world).toSorted()).toEqual(['250788100003', '250788100004'])
    await world.close()
  })

  test('a closed one is asked where there is no other', async () => {
    const world = await open(vendor('ven_1', { opening_hours: CLOSED }))
    await ask(world)
    expect(readAsked(world)).toEqual(['250788100001'])
    await world.close()
  })
})

describe('a vendor whose message is still queued', () => {
  const waiting = (reply: object | null): readonly SeedRow[] => {
    const answered = outreach('out_1', 'req_1', 'ven_1', 'replied')
    return [
      conversation('cnv_1'),
      request('req_1', { state: 'awaiting_vendor_replies' }),
      ...vendor('ven_1'),
      ...vendor('ven_2'),
      outreach('out_2', 'req_1', 'ven_2', 'queued'),
      ...(reply === null
        ? []
        : [{ ...answered, row: { ...answered.row, reply_data: JSON.stringify(reply) } }]),
    ]
  }
  const OFFER = { has_stock: true, price: 3_000, confidence: 0.9, unsure: false }

  test('holds up the shortlist for as long as one who was asked, and is not asked afterwards', async () => {
    const world = await database.open({ rows: waiting(OFFER) })
    // The rows are an hour old, and a vendor has thirty minutes.
    await world.runDueWork()
    expect(await outreachOf(world)).toEqual(['ven_1 replied', 'ven_2 excluded'])
    const [row] = await world.query('select state from mk_requests where tenant = ?', world.tenant)
    expect(row).toEqual({ state: 'shortlist_ready' })
    await world.close()
  })

  test('is waited for where nobody else has it', async () => {
    const world = await database.open({
      rows: waiting({ has_stock: false, confidence: 0.9, unsure: false }),
    })
    await world.runDueWork()
    expect(await outreachOf(world)).toEqual(['ven_1 replied', 'ven_2 queued'])
    await world.close()
  })

  test('is left alone, and the offers are stored, where an agent says that the shortlist is ready', async () => {
    const world = await database.open({
      rows: waiting(OFFER),
      settings: { MARKETPLACE_ORCHESTRATOR: 'off' },
    })
    await world.data(
      'marketplace.update_request_state',
      { request_id: 'req_1', new_state: 'shortlist_ready' },
      { caller: AGENT, key: 'ready' },
    )
    const snapshot = await world.data('marketplace.get_request_snapshot', { request_id: 'req_1' })
    expect(snapshot).toMatchObject({
      state: 'shortlist_ready',
      shortlist: [{ vendor_id: 'ven_1', price: 3_000 }],
      vendor_outreach_summary: { replied: 1, excluded: 1 },
    })
    await world.close()
  })
})
