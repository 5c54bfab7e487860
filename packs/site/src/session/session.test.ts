import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CONTRACT, type MemoryPorts, memoryPorts } from '../fixtures/memory-ports.ts'
import { openSiteApp, type SiteApp } from '../fixtures/site-app.ts'

let app: SiteApp
let ports: MemoryPorts
let key: string
let now: number
beforeEach(async () => {
  ports = memoryPorts()
  now = Date.now()
  const { commerce, bookingCalendar, pageBridge } = ports.providers
  app = await openSiteApp({
    providers: { commerce, bookingCalendar, pageBridge },
    now: () => now,
  })
  await app.operate('site.connect', { contract: CONTRACT })
  key = await createKey()
})
afterEach(() => app.close())

async function createKey(): Promise<string> {
  const answer = await app.operate('site.create_key', { name: 'Production' })
  return (answer.data as { key: string }).key
}

const ORIGIN = 'https://shop.example'

async function open(more: object = {}, address?: string): Promise<Response> {
  const body = { key, origin: ORIGIN, locale: 'en', ...more }
  return app.send('/site/sessions', {
    method: 'POST',
    body,
    ...(address === undefined ? {} : { address }),
  })
}

async function openToken(): Promise<string> {
  const response = await open()
  expect(response.status).toBe(201)
  return ((await response.json()) as { token: string }).token
}

async function call(token: string, tool: string, input: object, callKey = 'key-1234') {
  const body = { tool, input, key: callKey }
  const response = await app.send('/site/calls', { method: 'POST', body, token })
  return (await response.json()) as {
    status: string
    data: Record<string, unknown> | null
    error?: { code: string; message: string }
    metadata: { call_id: string; source: string; pending?: { approval_id: string } }
  }
}

async function approve(token: string, id: string, more: object = {}) {
  const shown = (await (await app.send(`/site/approvals/${id}`, { token })).json()) as {
    digest: string
    asks: string
    facts: Record<string, unknown>
  }
  const body = { verdict: 'approve', digest: shown.digest, ...more }
  const response = await app.send(`/site/approvals/${id}`, { method: 'POST', body, token })
  return { shown, status: response.status, answer: await response.json() }
}

describe('a session', () => {
  test.each([
    ['an unknown key', { key: 'pk_unknown' }, 403],
    ['a foreign origin', { origin: 'https://evil.example' }, 403],
    ['an origin that only looks alike', { origin: 'https://shop.example.evil.example' }, 403],
    ['no key', { key: 7 }, 400],
  ])('is not opened with %s', async (_, more, status) => {
    expect((await open(more)).status).toBe(status)
    expect(await app.stores.database.query('select id from site_sessions', [])).toEqual([])
  })

  test('is not opened by a page that sends the request itself', async () => {
    const response = await app.send('/site/sessions', {
      method: 'POST',
      body: { key, origin: ORIGIN },
      headers: { origin: 'https://shop.example' },
    })
    expect(response.status).toBe(403)
  })

  test('stores no token, and ends when it is ended, idle, too old, or its key is revoked', async () => {
    const token = await openToken()
    const rows = await app.stores.database.query('select * from site_sessions', [])
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[2])
    expect((await app.send('/site/approvals', { token })).status).toBe(200)
    await app.send('/site/sessions', { method: 'DELETE', token })
    expect((await app.send('/site/approvals', { token })).status).toBe(401)

    const old = await openToken()
    now += 9 * 3_600_000
    expect((await app.send('/site/approvals', { token: old })).status).toBe(401)

    const revoked = await openToken()
    await app.operate('site.revoke_key', { key })
    expect((await app.send('/site/approvals', { token: revoked })).status).toBe(401)
  })

  test('another token for the same session is refused', async () => {
    const token = await openToken()
    const forged = `${token.slice(0, -43)}${'A'.repeat(43)}`
    expect((await app.send('/site/approvals', { token: forged })).status).toBe(401)
  })

  test('is limited for each address', async () => {
    const statuses = []
    for (let count = 0; count < 31; count++) statuses.push((await open({}, '198.51.100.9')).status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
    expect((await open({}, '198.51.100.10')).status).toBe(201)
  })
})

describe('a call', () => {
  test.each(['site.stop', 'site.connect', 'siteops.readSitemap', 'site.open_session'])(
    'of %s is not for visitors',
    async (tool) => {
      const answer = await call(await openToken(), tool, { url: ORIGIN })
      expect(answer.status ?? 'failed').toBe('failed')
      expect(answer.error?.code).toMatch(
        /TOOL_(NOT_FOUND|CAPABILITY_MISSING|INVALID|MISSING|INSUFFICIENT)/,
      )
    },
  )

  test('after site.stop does nothing, also not what was approved before', async () => {
    const token = await openToken()
    const input = { cartId: 'cart_1', checkoutToken: 'chk_1' }
    const asked = await call(token, 'commerce.placeOrder', input)
    await app.operate('site.stop', {})
    const { answer } = await approve(token, asked.metadata.pending?.approval_id ?? '')
    expect(answer).toMatchObject({ answer: { error: { code: 'TOOL_CANCELLED' } } })
    expect(ports.effects).toEqual([])
    expect((await open()).status).toBe(503)
  })
})

describe('an approval', () => {
  const input = { cartId: 'cart_1', checkoutToken: 'chk_1' }

  test('by the visitor places one order, which the owner finds in the events', async () => {
    const token = await openToken()
    const asked = await call(token, 'commerce.placeOrder', input)
    expect(asked.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
    const { shown, answer } = await approve(token, asked.metadata.pending?.approval_id ?? '')
    expect(shown.asks).toBe(
      'Place the order (2 × Red roses: 39.80 EUR; 2 × Red roses: 39.80 EUR), 84.50 EUR in all?',
    )
    expect(shown.facts).toMatchObject({ total: '84.50 EUR', terms: ['Returns within 14 days.'] })
    expect(answer).toMatchObject({ answer: { status: 'success', data: { orderId: 'ord_1' } } })
    const again = await call(token, 'commerce.placeOrder', input)
    expect([again.status, again.metadata.source]).toEqual(['success', 'replayed'])
    expect(ports.effects).toHaveLength(1)
    const events = await app.stores.database.query('select kind, amount from site_events', [])
    expect(events).toEqual([{ kind: 'order', amount: 8450 }])
  })

  test('of another visitor does not exist', async () => {
    const asked = await call(await openToken(), 'commerce.placeOrder', input)
    const id = asked.metadata.pending?.approval_id ?? ''
    const response = await app.send(`/site/approvals/${id}`, { token: await openToken() })
    expect(response.status).toBe(404)
  })

  test.each([
    ['yes', 200],
    ['Yes, please!', 200],
    ['ja', 200],
    ['yes but cheaper', 400],
    ['yes I heard on the page', 400],
    ['no', 400],
  ])('spoken as "%s" answers %d', async (said, status) => {
    const token = await openToken()
    const asked = await call(token, 'commerce.placeOrder', input)
    const decided = await approve(token, asked.metadata.pending?.approval_id ?? '', { said })
    expect(decided.status).toBe(status)
    expect(ports.effects).toHaveLength(status === 200 ? 1 : 0)
  })

  test('whose total has changed is asked again, with the change', async () => {
    const token = await openToken()
    const asked = await call(token, 'commerce.placeOrder', input)
    ports.state.unitPrice = 2500
    const { answer } = await approve(token, asked.metadata.pending?.approval_id ?? '')
    expect(answer).toMatchObject({ answer: { error: { code: 'TOOL_APPROVAL_REQUIRED' } } })
    expect(ports.effects).toEqual([])
  })

  test('beyond the spend limit of the visit is refused', async () => {
    const spendLimit = { amount: 10_000, currency: 'EUR' }
    await app.operate('site.connect', { contract: { ...CONTRACT, spendLimit } }, 'limit')
    const token = await openToken()
    const asked = await call(token, 'commerce.placeOrder', input)
    const first = await approve(token, asked.metadata.pending?.approval_id ?? '')
    expect(first.status).toBe(200)
    const booking = await call(token, 'booking.bookSlot', { slotId: 'slot_1' }, 'book-slot')
    expect([booking.error?.code, booking.error?.message]).toEqual([
      'TOOL_GATE_CLOSED',
      'The site allows 100.00 EUR per visit, and this booking of 40.00 EUR would exceed it. Nothing was booked; the visitor can book on the page.',
    ])
  })
})
