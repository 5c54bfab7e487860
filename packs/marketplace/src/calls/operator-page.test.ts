import type { Caller } from '@surehand/core'
import type { PackRequest, PackServices } from '@surehand/core/host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consent, conversation, request } from '../../testing/market-rows.ts'
import {
  AGENT,
  MARKET_NOW,
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
} from '../../testing/market-world.ts'
import { OPERATOR_ROUTES } from './operator-routes.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

async function visit(
  world: MarketWorld,
  path: string,
  {
    method = 'GET',
    body,
    caller = world.caller,
  }: { method?: string; body?: string; caller?: Caller } = {},
): Promise<Response> {
  const route = OPERATOR_ROUTES.find((one) => one.path === path && one.method === method)
  if (route === undefined) throw new Error(`There is no route ${method} ${path}.`)
  const received: PackRequest = {
    request: new Request(`https://market.example${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
    }),
    params: {},
    caller: { ...caller, tenant: world.tenant },
    address: '127.0.0.1',
    services: world.given as unknown as PackServices,
  }
  return route.handle(received)
}

test("a call is placed with the offer of the operator's page, which then gets the answer", async () => {
  const world = await database.open({
    rows: [conversation('cnv_1'), request('req_1'), consent('con_1', 'granted')],
    settings: { CALLING_ENABLED: 'true' },
  })
  expect(await (await visit(world, '/marketplace/operator')).text()).toContain('operator.js')
  expect(await (await visit(world, '/marketplace/operator.js')).text()).toContain(
    'RTCPeerConnection',
  )
  const offer = { method: 'POST', body: JSON.stringify({ sdp: 'v=0 of olive' }) }
  expect((await visit(world, '/marketplace/operator/offer', offer)).status).toBe(200)
  await world.data('marketplace.start_call', { consent_id: 'con_1' })
  expect(world.messenger.calls[0]?.sdp).toBe('v=0 of olive')
  await world.receive({
    kind: 'call',
    id: 'wacid.1',
    state: 'answered',
    at: MARKET_NOW,
    sdp: 'v=0 of the client',
  })
  const shown = await (await visit(world, '/marketplace/operator/call')).json()
  expect(shown).toEqual({
    call: expect.objectContaining({
      phone: '***001',
      state: 'answered',
      answer_sdp: 'v=0 of the client',
    }),
  })
  await world.close()
})

test('an agent can neither offer nor see a call', async () => {
  const world = await database.open({ rows: [conversation('cnv_1'), request('req_1')] })
  const offer = { method: 'POST', body: JSON.stringify({ sdp: 'v=0' }), caller: AGENT }
  expect((await visit(world, '/marketplace/operator/offer', offer)).status).toBe(403)
  expect((await visit(world, '/marketplace/operator/call', { caller: AGENT })).status).toBe(403)
  await world.close()
})
