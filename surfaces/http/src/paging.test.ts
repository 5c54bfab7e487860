import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
  for (const recipient of ['1', '2', '3', '4', '5']) {
    await server.send('POST', '/v1/tools/bank.transfer/call', { amount: '1 EUR', recipient })
    await server.send('POST', '/v1/tools/mail.bulk/call', { to: recipient })
    await server.send('POST', '/v1/tools/trip.plan/call', { to: `Rome ${recipient}` })
  }
})
afterAll(() => server.close())

type PageData = {
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly next_cursor: string | null
}

async function get(path: string): Promise<PageData> {
  const response = await server.get(path, server.tokens.root)
  expect([path, response.status]).toEqual([path, 200])
  return ((await response.json()) as { readonly data: PageData }).data
}

async function walk(path: string, limit: number): Promise<PageData['items']> {
  const items: PageData['items'][number][] = []
  for (let cursor = ''; ; ) {
    const page = await get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`)
    expect(page.items.length).toBeLessThanOrEqual(limit)
    items.push(...page.items)
    if (page.next_cursor === null) return items
    cursor = `&cursor=${page.next_cursor}`
  }
}

// What makes an item that one, and in which order a list shows them.
const LISTS: readonly (readonly [path: string, name: string, order: 'up' | 'newest' | 'best'])[] = [
  ['/v1/tools', 'id', 'up'],
  ['/v1/tools?category=integration', 'id', 'up'],
  ['/v1/search?q=send', 'score', 'best'],
  ['/v1/approvals', 'id', 'newest'],
  ['/v1/approvals?state=pending', 'id', 'newest'],
  ['/v1/questions', 'id', 'newest'],
  ['/v1/calls', 'call_id', 'newest'],
  ['/v1/audit', 'id', 'newest'],
  ['/v1/audit?tool=bank.transfer', 'id', 'newest'],
  ['/v1/principals', 'id', 'up'],
  ['/v1/tenants', 'id', 'up'],
  ['/v1/tokens', 'id', 'up'],
]

test.each(LISTS)(
  '%s in pages of two is the whole list, in one order',
  async (path, name, order) => {
    const whole = await walk(path, 200)
    expect(whole.length).toBeGreaterThan(path === '/v1/tenants' ? 0 : 1)
    expect(await walk(path, 2)).toEqual(whole)
    const names = whole.map((item) => item[name] as string)
    const ascending = names.toSorted((one, other) => (one < other ? -1 : 1))
    if (order === 'up') expect(names).toEqual(ascending)
    if (order === 'newest') expect(names).toEqual(ascending.toReversed())
  },
)

test('what is added while a list is read does not shift its pages', async () => {
  const first = await get('/v1/approvals?limit=2')
  const rest = await get(`/v1/approvals?limit=2&cursor=${first.next_cursor}`)
  await server.send('POST', '/v1/tools/bank.transfer/call', { amount: '2 EUR', recipient: '6' })
  expect(await get(`/v1/approvals?limit=2&cursor=${first.next_cursor}`)).toEqual(rest)
})

test.each([
  'limit=0',
  'limit=201',
  'limit=x',
  'cursor=nonsense',
  'cursor=',
  `cursor=${Buffer.from('tools.list\nshop.buy').toString('base64url')}`,
])('%s is refused with what to do', async (query) => {
  const response = await server.get(`/v1/approvals?${query}`, server.tokens.root)
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('TOOL_INVALID_INPUT'),
  ])
})

test('a caller sees only pages of their own', async () => {
  const response = await server.get('/v1/approvals', server.tokens.bob)
  expect(await response.json()).toMatchObject({ data: { items: [], next_cursor: null } })
})
