import { afterAll, beforeAll, expect, test } from 'vitest'
import { consent, conversation, request, vendor } from '../../testing/market-rows.ts'
import { AGENT, type MarketDatabase, openMarketDatabase } from '../../testing/market-world.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

const HASH = expect.stringMatching(/^[0-9a-f]{64}$/)

test("the document's audit records are found by the request, also through a consent", async () => {
  const world = await database.open({
    rows: [
      conversation('cnv_1'),
      request('req_1'),
      request('req_2'),
      ...vendor('ven_1'),
      consent('con_1', 'denied'),
    ],
    settings: { CALLING_ENABLED: 'true' },
  })
  await world.call(
    'marketplace.search_vendors',
    { request_id: 'req_1', category: 'pharmacy' },
    { caller: AGENT },
  )
  await world.call('marketplace.send_client_message', { request_id: 'req_1', message: 'Hello' })
  await world.call('marketplace.start_call', { consent_id: 'con_1' }, { caller: AGENT, key: 'k1' })
  await world.call('marketplace.search_vendors', { request_id: 'req_2', category: 'pharmacy' })
  await world.clock.advance(200)
  await database.stores.audit.flush()
  const { calls } = (await world.data('marketplace.list_audit', { request_id: 'req_1' })) as {
    calls: { meta: Record<string, unknown>; record: Record<string, unknown> }[]
  }
  const found = calls.map(({ meta, record }) => [record.tool_name, meta.actor, record.success])
  expect(found).toHaveLength(3)
  expect(found).toEqual(
    expect.arrayContaining([
      ['marketplace.send_client_message', 'admin', true],
      ['marketplace.search_vendors', 'moltbot', true],
      ['marketplace.start_call', 'moltbot', false],
    ]),
  )
  for (const { meta, record } of calls) {
    expect(record).toMatchObject({
      request_id: 'req_1',
      input_hash: HASH,
      duration_ms: expect.any(Number),
    })
    expect(meta).toMatchObject({ request_id: 'req_1', timestamp: expect.stringMatching(/Z$/) })
  }
  expect(calls.find(({ record }) => record.success === false)?.record.error).toContain(
    'does not want to be called',
  )
  await world.close()
})

test('agents neither see nor call the parts of the marketplace', async () => {
  const world = await database.open({ rows: [conversation('cnv_1'), request('req_1')] })
  const answer = await world.call(
    'marketplace.list_audit',
    { request_id: 'req_1' },
    { caller: AGENT },
  )
  expect(answer.status).toBe('failed')
  const admin = { ...world.caller, actor: 'ai_agent' as const }
  expect(
    (
      await world.call(
        'marketplace.decide_consent',
        { consent_id: 'c', change: 'granted' },
        { caller: admin },
      )
    ).error?.code,
  ).toMatch(/^TOOL_(CAPABILITY|INSUFFICIENT|RESOURCE_ACCESS)/)
  await world.close()
})
