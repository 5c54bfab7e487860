import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consent, conversation, request } from '../../testing/market-rows.ts'
import { MARKET_NOW, type MarketDatabase, openMarketDatabase } from '../../testing/market-world.ts'
import { isStopMessage } from '../messages/store-inbound.ts'
import { readConsentReply } from './read-consent-reply.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

test.each([
  ['Yes', 'granted'],
  ['YES!!', 'granted'],
  [' oui. ', 'granted'],
  ['D’accord', 'granted'],
  ['Bien sûr', 'granted'],
  ['Yego', 'granted'],
  ['yego 👍', 'granted'],
  ['no', 'denied'],
  ['No, thanks', 'denied'],
  ['Non merci', 'denied'],
  ['Oya', 'denied'],
  ['Hoya!', 'denied'],
  ['I know', undefined],
  ['yes, but first tell me the price', undefined],
  ['nothing', undefined],
  ['', undefined],
  ['👍', undefined],
] as const)('%j is read as %s', (text, decision) => {
  expect(readConsentReply(text)).toBe(decision)
})

test.each([
  ['STOP', true],
  ['Stop.', true],
  ['Arrêtez', true],
  ['hagarika', true],
  ['we stop at six', false],
  ['non-stop', false],
  ['bus stop', false],
] as const)('%j asks us to stop: %s', (text, isStop) => {
  expect(isStopMessage(text)).toBe(isStop)
})

describe('a consent', () => {
  const rows = [conversation('cnv_1'), request('req_1')]
  const ask = { request_id: 'req_1', scope: 'concierge', reason: 'We found three offers.' }

  test('is asked for once while it is open; the reason reaches the client', async () => {
    const world = await database.open({ rows })
    const first = await world.data('marketplace.request_call_consent', ask, { key: 'k1' })
    expect(first).toEqual({
      consent_id: expect.any(String),
      state: 'requested',
      message_sent: true,
    })
    const second = await world.data('marketplace.request_call_consent', ask, { key: 'k2' })
    expect(second).toEqual({ ...first, message_sent: false })
    expect(world.messenger.sent).toHaveLength(1)
    expect(world.messenger.sent[0]?.content).toMatchObject({
      kind: 'buttons',
      text: expect.stringContaining('We found three offers.'),
    })
    await world.close()
  })

  test('that was never delivered is asked again', async () => {
    const world = await database.open({ rows })
    world.messenger.faults.push('refused')
    const refused = await world.call('marketplace.request_call_consent', ask, { key: 'k1' })
    expect(refused.error?.code).toBe('TOOL_INVALID_INPUT')
    const again = await world.data('marketplace.request_call_consent', ask, { key: 'k1' })
    expect(again).toMatchObject({ message_sent: true })
    expect(world.messenger.sent).toHaveLength(1)
    await world.close()
  })

  test('that is granted is not asked for again', async () => {
    const world = await database.open({
      rows: [...rows, consent('con_1', 'granted', { scope: 'concierge' })],
    })
    const answer = await world.call('marketplace.request_call_consent', ask)
    expect(answer.error?.details).toMatchObject({
      source_code: 'CONSENT_ALREADY_GRANTED',
      consent_id: 'con_1',
    })
    await world.close()
  })

  // granted and denied stay; a grant ends after 24 hours, and so does a question.
  test.each([
    ['requested', 'granted', 0, 'granted'],
    ['requested', 'denied', 0, 'denied'],
    ['requested', 'expired', 0, 'requested'],
    ['requested', 'expired', 25, 'expired'],
    ['granted', 'denied', 0, 'granted'],
    ['granted', 'expired', 0, 'granted'],
    ['granted', 'expired', 25, 'expired'],
    ['denied', 'granted', 0, 'denied'],
    ['denied', 'expired', 25, 'denied'],
    ['expired', 'granted', 0, 'expired'],
    ['expired', 'denied', 0, 'expired'],
  ] as const)('that is %s, after %s and %d hours', async (from, change, hours, expected) => {
    const world = await database.open({ rows: [...rows, consent('con_1', from)] })
    world.clock.set(MARKET_NOW + hours * 3_600_000)
    expect(
      await world.data('marketplace.decide_consent', { consent_id: 'con_1', change }),
    ).toMatchObject({ state: expected })
    await world.close()
  })
})
