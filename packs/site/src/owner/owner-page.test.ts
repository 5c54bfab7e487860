import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFakeWidget } from '../fixtures/fake-widget.ts'
import { CONTRACT, memoryPorts } from '../fixtures/memory-ports.ts'
import { OWNER, openSiteApp, type SiteApp } from '../fixtures/site-app.ts'
import { OWNER_ROUTES } from './owner-page.ts'

let app: SiteApp
let session = ''
const ORIGIN = 'https://agent.example'

beforeAll(async () => {
  const { siteSearch, pageBridge } = memoryPorts().providers
  const nothing = { search: async () => ({ items: [], nextPage: undefined, missing: [] }) }
  app = await openSiteApp({ providers: { pageBridge, siteSearch: { ...siteSearch, ...nothing } } })
  await connect('30d')
  const created = await app.operate('site.create_key', { name: '<b>Production</b>' })
  const { key } = created.data as { key: string }
  const widget = await openFakeWidget(app, { key, origin: 'https://shop.example' })
  await widget.say('find blue tulips')
  await widget.say('I want to talk to a human')
  widget.close()
  const [row] = await app.stores.database.query('select id from site_sessions', [])
  session = String(row?.id)
})
afterAll(() => app.close())

const connect = (transcripts: string) =>
  app.operate('site.connect', { contract: { ...CONTRACT, transcripts } }, transcripts)

async function open(path: string, form?: Record<string, string>, more: object = {}) {
  const method = form === undefined ? 'GET' : 'POST'
  const { caller = OWNER, site = 'same-origin' } = more as { caller?: typeof OWNER; site?: string }
  const pathname = path.split('?')[0] ?? ''
  const route = OWNER_ROUTES.find(
    (one) => one.method === method && one.path.replace(':session', session) === pathname,
  )
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: { 'sec-fetch-site': site },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  })
  const { services } = app
  const response = await route?.handle({
    request,
    params: { session },
    caller,
    address: '',
    services,
  })
  return { status: response?.status, html: (await response?.text()) ?? '' }
}

test('the page shows what had no answer and who wanted a person, as text', async () => {
  const { status, html } = await open('/site/owner?days=7')
  expect(status).toBe(200)
  expect(html).toContain('blue tulips')
  expect(html).toContain('&lt;b&gt;Production&lt;/b&gt;')
  expect(html).toContain(`/site/owner/visits/${session}`)
})

test('it is for those who operate the site only', async () => {
  const caller = { ...OWNER, principal: 'ann', roles: ['user'] }
  expect((await open('/site/owner', undefined, { caller })).status).toBe(403)
  const form = { to: 'stop', key: 'k' }
  expect((await open('/site/owner', form, { caller })).status).toBe(403)
  expect((await open('/site/owner', form, { site: 'cross-site' })).status).toBe(403)
  expect((await open('/site/owner')).html).toContain('The agent works.')
})

test('the kill switch stops the agent, and lets it work again', async () => {
  expect((await open('/site/owner', { to: 'stop', key: 'one' })).status).toBe(303)
  expect((await open('/site/owner')).html).toContain('The agent is stopped')
  expect((await open('/site/owner', { to: 'resume', key: 'two' })).status).toBe(303)
  expect((await open('/site/owner')).html).toContain('The agent works.')
})

test('a transcript is shown where it is stored, and erased with what the tables hold', async () => {
  const visit = `/site/owner/visits/${session}`
  expect((await open(visit)).html).toContain('I want to talk to a human')
  expect((await open('/site/owner', { to: 'erase', session, key: 'three' })).status).toBe(303)
  const left = await open(visit)
  expect(left.html).toContain('No transcript is stored')
  expect((await open('/site/owner')).html).not.toContain('blue')
  const stored = await app.stores.values.list('shop', 'site/')
  expect(JSON.stringify(stored)).not.toMatch(/site\/(talk|transcript)\//)
})

test('by default nothing that a visitor says is stored as a transcript', async () => {
  await connect('off')
  const created = await app.operate('site.create_key', { name: 'Other' })
  const { key } = created.data as { key: string }
  const widget = await openFakeWidget(app, { key, origin: 'https://shop.example' })
  await widget.say('help')
  widget.close()
  expect(await app.stores.values.list('shop', 'site/transcript/')).toEqual([])
})
