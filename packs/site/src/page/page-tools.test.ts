import { expect, test } from 'vitest'
import { openShopApp } from '../fixtures/shop-app.ts'
import { pageToolsKind } from './page-tools-kind.ts'

const define = (name: string, description = 'Does it.') =>
  JSON.stringify({ name, description, inputSchema: { type: 'object' } })

test('what visitors report is listed for the owner, per origin of the site, and is no tool', async () => {
  const app = await openShopApp()
  const origin = app.shop.url
  const session = { key: app.key, origin, locale: 'en' }
  const opened = await app.send('/site/sessions', { method: 'POST', body: session })
  const { token } = (await opened.json()) as { token: string }
  const report = (body: object) =>
    app.send('/site/page-tools', { method: 'POST', token, body: { origin, ...body } })
  const kind = pageToolsKind({ values: app.stores.values, invoke: async () => ({}) })
  const source = { tenant: 'shop', name: 'page', settings: {} }
  const by = {
    tenant: 'shop',
    principal: 'olga',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const
  const fetchSeen = () =>
    kind.fetch({ origin }, { ...source, by, signal: new AbortController().signal })

  await expect(fetchSeen()).rejects.toThrow(/has reported tools of its own\. Open one/)
  expect((await report({ origin: 'https://evil.example', tools: [define('a')] })).status).toBe(403)
  expect((await app.send('/site/page-tools', { method: 'POST', body: {} })).status).toBe(401)
  const tools = [
    define('quote'),
    define('Quote'),
    define('hidden', 'Nice\u200b tool'),
    '{"name":"x"}',
    'no JSON',
  ]
  expect(await (await report({ tools })).json()).toEqual({ received: 3 })
  // A later report of the same name takes the place of the earlier one.
  await report({ tools: [define('quote', 'Another text.')] })
  const { report: listed } = await kind.prepare(await fetchSeen(), source)
  expect(listed).toMatchObject({
    taken: ['page.Quote'],
    leftOut: [
      { operation: 'hidden', reason: 'contains invisible characters' },
      { operation: 'quote', reason: 'has the name of another tool' },
    ],
  })
  const visible = await app.send('/site/tools', { token })
  expect(await visible.text()).not.toContain('"page.')
  await app.close()
})
