import type { Envelope } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consent, conversation, request } from '../../testing/market-rows.ts'
import {
  MARKET_NOW,
  type MarketDatabase,
  openMarketDatabase,
  type SeedRow,
  type WorldOptions,
} from '../../testing/market-world.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

const sourceCode = ({ error }: Envelope): unknown =>
  (error?.details as Record<string, unknown> | undefined)?.source_code

const ON = { CALLING_ENABLED: 'true', WHATSAPP_CALL_OFFER: 'v=0' }
const START = { consent_id: 'con_1' }

function attempt(more: SeedRow['row'] = {}): SeedRow {
  return {
    table: 'mk_call_attempts',
    row: {
      id: 'cal_1',
      consent_id: 'con_1',
      request_id: 'req_1',
      conversation_id: 'cnv_1',
      state: 'completed',
      provider_call_id: 'wacid.0',
      dispatch_key: 'before',
      started_at: MARKET_NOW - 60_000,
      updated_at: MARKET_NOW - 60_000,
      ...more,
    },
  }
}

const open = (rows: readonly SeedRow[], settings: WorldOptions['settings'] = ON) =>
  database.open({ rows: [conversation('cnv_1'), ...rows], settings })

describe('the gates of a call, in their order', () => {
  const granted = consent('con_1', 'granted')
  const expired = consent('con_1', 'granted', { expires_at: MARKET_NOW - 1 })
  const inCall = attempt({ state: 'answered', started_at: MARKET_NOW - 11 * 60_000 })
  // Each row is closed by the gate it names and by every gate after it as well.
  test.each<[string, readonly SeedRow[], WorldOptions['settings']]>([
    ['CALLING_DISABLED', [], {}],
    ['NO_CONSENT', [request('req_1', { state: 'closed' }), attempt()], ON],
    [
      'CONSENT_DENIED',
      [request('req_1', { state: 'closed' }), consent('con_1', 'denied'), attempt()],
      ON,
    ],
    [
      'CONSENT_NOT_GRANTED',
      [request('req_1', { state: 'closed' }), consent('con_1', 'requested'), attempt()],
      ON,
    ],
    ['CONSENT_EXPIRED', [request('req_1', { state: 'closed' }), expired, attempt()], ON],
    [
      'CONSENT_EXPIRED',
      [request('req_1', { state: 'closed' }), consent('con_1', 'expired'), attempt()],
      ON,
    ],
    ['INVALID_STATE', [request('req_1', { state: 'handed_off' }), granted, attempt()], ON],
    ['INVALID_STATE', [request('req_1', { state: 'closed' }), granted, attempt()], ON],
    ['INVALID_STATE', [request('req_1', { state: 'error' }), granted, attempt()], ON],
    ['COOLDOWN_ACTIVE', [request('req_1'), granted, attempt({ state: 'answered' })], ON],
    ['ALREADY_IN_CALL', [request('req_1'), granted, inCall], ON],
  ])('%s', async (code, rows, settings) => {
    const world = await open(rows, settings)
    const answer = await world.call('marketplace.start_call', START, { key: 'k1' })
    expect([answer.status, answer.error?.code, sourceCode(answer)]).toEqual([
      'failed',
      'TOOL_GATE_CLOSED',
      code,
    ])
    expect(answer.data).toEqual({ success: false, error: answer.error?.message })
    expect(world.messenger.calls).toEqual([])
    await world.close()
  })

  test('an expired consent is stored as expired', async () => {
    const world = await open([request('req_1'), expired])
    await world.call('marketplace.start_call', START)
    const [row] = await world.query('select state from mk_consents where tenant = ?', world.tenant)
    expect(row?.state).toBe('expired')
    await world.close()
  })

  test('an old closed request does not block a call about another one', async () => {
    const world = await open([
      request('req_old', { state: 'closed' }),
      request('req_1'),
      granted,
      attempt({ request_id: 'req_old', started_at: MARKET_NOW - 3_600_000 }),
    ])
    expect((await world.call('marketplace.start_call', START)).status).toBe('success')
    await world.close()
  })
})

describe('a grant lasts 24 hours', () => {
  const DAY_MS = 24 * 3_600_000
  const ask = { request_id: 'req_1', scope: 'concierge', reason: 'We found three offers.' }

  async function openGranted() {
    const world = await open([request('req_1')])
    const asked = await world.data('marketplace.request_call_consent', ask)
    await world.receive({
      ...{ kind: 'message', id: 'yes-1', from: '250788555001', at: MARKET_NOW, type: 'text' },
      text: 'Yes',
    })
    return { world, start: { consent_id: String(asked.consent_id) } }
  }

  test('to the last millisecond, and not one longer', async () => {
    const { world, start } = await openGranted()
    world.clock.set(MARKET_NOW + DAY_MS - 1)
    expect((await world.call('marketplace.start_call', start, { key: 'k1' })).status).toBe(
      'success',
    )
    world.clock.set(MARKET_NOW + DAY_MS)
    const late = await world.call('marketplace.start_call', start, { key: 'k2' })
    expect([late.error?.code, sourceCode(late)]).toEqual(['TOOL_GATE_CLOSED', 'CONSENT_EXPIRED'])
    expect(world.messenger.calls).toHaveLength(1)
    await world.close()
  })

  test('also for a call that was prepared before and is placed after a crash', async () => {
    const { world, start } = await openGranted()
    // The process dies between the attempt that is stored and the call to WhatsApp.
    world.dieAfter(2)
    await world.call('marketplace.start_call', start, { key: 'k1' })
    world.clock.set(MARKET_NOW + DAY_MS)
    const late = await world.call('marketplace.start_call', start, { key: 'k1' })
    expect([late.error?.code, sourceCode(late)]).toEqual(['TOOL_GATE_CLOSED', 'CONSENT_EXPIRED'])
    expect(world.messenger.calls).toEqual([])
    const [row] = await world.query(
      'select a.state, c.state as consent from mk_call_attempts a join mk_consents c on c.tenant = a.tenant and c.id = a.consent_id where a.tenant = ?',
      world.tenant,
    )
    expect(row).toEqual({ state: 'failed', consent: 'expired' })
    await world.close()
  })
})

describe('a call', () => {
  const rows = [request('req_1'), consent('con_1', 'granted')]

  test('is placed once for a key', async () => {
    const world = await open(rows)
    const first = await world.call('marketplace.start_call', START, { key: 'k1' })
    const again = await world.call('marketplace.start_call', START, { key: 'k1' })
    expect(first.data).toEqual({
      success: true,
      call_attempt_id: expect.any(String),
      provider_call_id: 'wacid.1',
    })
    expect(again.data).toEqual(first.data)
    expect(world.messenger.calls).toHaveLength(1)
    await world.close()
  })

  test.each(['refused', 'busy'] as const)(
    'that the provider answers with %s is a PROVIDER_ERROR',
    async (fault) => {
      const world = await open(rows)
      world.messenger.faults.push(fault)
      const answer = await world.call('marketplace.start_call', START, { key: 'k1' })
      expect([answer.error?.code, sourceCode(answer)]).toEqual([
        'TOOL_EXTERNAL_SERVICE_ERROR',
        'PROVIDER_ERROR',
      ])
      expect(answer.data).toMatchObject({ success: false, call_attempt_id: expect.any(String) })
      // A call that was never placed is no reason to wait.
      expect((await world.call('marketplace.start_call', START, { key: 'k2' })).status).toBe(
        'success',
      )
      await world.close()
    },
  )

  test('whose outcome is unknown is not placed again, and the webhook settles it', async () => {
    const world = await open(rows)
    world.messenger.faults.push('lost')
    const lost = await world.call('marketplace.start_call', START, { key: 'k1' })
    expect(sourceCode(lost)).toBe('OUTCOME_UNKNOWN')
    const callback = world.messenger.calls[0]?.callback
    await world.receive({
      kind: 'call',
      id: 'wacid.x',
      state: 'ringing',
      at: MARKET_NOW,
      ...(callback === undefined ? {} : { callback }),
    })
    const settled = await world.call('marketplace.start_call', START, { key: 'k1' })
    expect(settled.data).toMatchObject({ success: true, provider_call_id: 'wacid.x' })
    expect(world.messenger.calls).toHaveLength(1)
    await world.close()
  })

  test('needs an operator who is ready', async () => {
    const world = await open(rows, { CALLING_ENABLED: 'true' })
    const answer = await world.call('marketplace.start_call', START)
    expect(answer.error?.message).toContain("No operator's page is open")
    await world.close()
  })

  // Events in any order: the state that is furthest along stays.
  test.each([
    [['ringing', 'answered', 'completed'], 'completed'],
    [['completed', 'answered', 'ringing'], 'completed'],
    [['answered', 'ringing'], 'answered'],
    [['no_answer', 'ringing'], 'no_answer'],
    [['busy', 'no_answer'], 'busy'],
    [['ringing', 'ringing', 'ringing'], 'ringing'],
  ] as const)('with the events %j is %s', async (events, expected) => {
    const world = await open(rows)
    await world.data('marketplace.start_call', START)
    for (const [index, state] of events.entries())
      await world.receive({ kind: 'call', id: 'wacid.1', state, at: MARKET_NOW + index })
    const [row] = await world.query(
      'select state from mk_call_attempts where tenant = ?',
      world.tenant,
    )
    expect(row?.state).toBe(expected)
    await world.close()
  })
})
