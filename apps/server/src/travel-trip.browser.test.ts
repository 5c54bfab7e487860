import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { launch } from '@surehand/testing/fixtures/launch.ts'
import { travelPack } from '@surehand/travel'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readConfig } from './config/read-config.ts'
import { signIn } from './fixtures/browser-app.ts'
import { createLog } from './log/log.ts'
import { type RunningServer, serve } from './serve/serve.ts'

const WISH = 'A week in Lisbon in May for two, under 2000 EUR, from Berlin, museums'

const folder = mkdtempSync(join(tmpdir(), 'surehand-travel-'))
/** Into the folder that SCREENSHOTS names, else into a temporary one. */
const pictures = process.env.SCREENSHOTS ?? folder
let serving: RunningServer
let browser: Browser
let page: Page
const complaints: string[] = []
const outside: string[] = []

beforeAll(async () => {
  const config = await readConfig({
    env: {},
    folder,
    overrides: { demo: true, home: 'demo', port: 0, logLevel: 'silent' },
  })
  serving = await serve(
    { ...config, packs: [travelPack] },
    createLog({ ...config, logLevel: 'silent' }),
    { demos: true },
  )
  browser = await launch(inject('chromium'))
  page = await (await browser.newContext({ viewport: { width: 1100, height: 900 } })).newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(serving.addresses.publicUrl)) outside.push(request.url())
  })
  await signIn(page, `${serving.addresses.publicUrl}/travel/plans`, tokens().ann)
})
afterAll(async () => {
  await browser?.close()
  await serving?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function tokens() {
  return serving.welcome.demoTokens as { readonly ann: string; readonly agent: string }
}

async function takePicture(name: string): Promise<void> {
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
}

test('the demo traveller has a half-made plan with a map', async () => {
  const plans = page.getByRole('link', { name: 'Five days in Lisbon' })
  await expect.poll(() => page.reload().then(() => plans.count())).toBe(1)
  await takePicture('travel-plans')
  await plans.click()
  await page.getByRole('heading', { name: 'Days', exact: true }).waitFor()
  expect(await page.getByText('National Tile Museum').count()).toBeGreaterThan(1)
  expect(await page.locator('svg.map').count()).toBeGreaterThanOrEqual(1)
  expect(await page.getByText('Nothing is booked.').count()).toBe(1)
  await takePicture('travel-plan')
})

test('a trip goes from a wish over MCP to a booking that was approved in the browser', async () => {
  const { publicUrl } = serving.addresses
  const client = new Client({ name: 'traveller', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${tokens().agent}` } },
    }),
  )
  const asked = await client.callTool({
    name: 'travel__planTrip',
    arguments: { wish: WISH },
  })
  expect(JSON.stringify(asked.content)).toContain('question')
  await client.close()

  await page.goto(`${publicUrl}/approvals`)
  await page.getByRole('link', { name: /^Keep this plan\? .* travellers\.$/ }).click()
  await page.getByRole('heading', { name: /^Keep this plan\?/, level: 1 }).waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'Estimated cost' }).count()).toBe(1)
  await takePicture('travel-review')
  await page
    .getByRole('button', { name: /answer|send/i })
    .first()
    .click()
  const approval = page.getByRole('link', { name: /Book .* in all/ })
  await expect.poll(() => page.goto(`${publicUrl}/approvals`).then(() => approval.count())).toBe(1)
  await approval.click()
  await page.getByText('since_search').first().waitFor()
  await takePicture('travel-approval')
  await page.getByRole('button', { name: 'Approve' }).click()
  const booked = page.getByText(/booked as/)
  await page.goto(`${publicUrl}/travel/plans`)
  await page.getByRole('link', { name: /Lisbon, 2027/ }).click()
  await expect.poll(() => page.reload().then(() => booked.count())).toBeGreaterThan(0)
  await takePicture('travel-booked')
})

test('a shared plan is read without signing in, until it is revoked', async () => {
  const services = serving.app.packServices('travel', serving.addresses.publicUrl)
  const caller = await services.callerOf('demo', 'ann')
  if (caller === undefined) throw new Error('There is no ann.')
  const call = (tool: string, input: object) =>
    services.call({ tool, input, caller, surface: 'test', idempotencyKey: tool })
  const listed = await call('travel.listTravelPlans', {})
  const { plans } = (listed as { data: { plans: { planId: string }[] } }).data
  const asked = await call('travel.sharePlan', { planId: plans[0]?.planId, days: 1 })
  if (asked.status !== 'pending') throw new Error(`It is ${asked.status}.`)
  const { id, digest } = asked.approval
  await services.approvals.decide(caller, id, { verdict: 'approve', digest })
  const readAnswer = async () => services.answer(caller, asked.facts.callId)
  await expect.poll(async () => (await readAnswer())?.status).toBe('done')
  const { url, shareId } = (
    (await readAnswer()) as unknown as { data: { url: string; shareId: string } }
  ).data
  const address = `${serving.addresses.publicUrl}${new URL(url).pathname}`
  const read = await fetch(address)
  expect([read.status, read.headers.get('x-robots-tag')]).toEqual([
    200,
    'noindex, nofollow, noarchive',
  ])
  expect(await read.text()).toContain('Lisbon')
  await call('travel.unsharePlan', { shareId })
  expect((await fetch(address)).status).toBe(404)
  expect((await fetch(`${address.slice(0, -3)}AAA`)).status).toBe(404)
})

test('no page broke its policy or loaded anything from outside', () => {
  expect({ complaints, outside }).toEqual({ complaints: [], outside: [] })
})
