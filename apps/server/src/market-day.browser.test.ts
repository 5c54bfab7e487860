import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCaller } from '@surehand/identity'
import { DEMO_CLIENTS } from '@surehand/marketplace/demo/demo-phones'
import { launch } from '@surehand/testing/fixtures/launch.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { signIn } from './fixtures/browser-app.ts'
import { type MarketApp, openMarketApp } from './fixtures/market-app.ts'

// A microphone that needs no permission.
const MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
// Waits end when the thing is there; the limits are for a machine that is busy with other work.
const PATIENT = { timeout: 240_000 }
const TEST_MS = 900_000

let app: MarketApp
let browser: Browser
beforeAll(async () => {
  app = await openMarketApp()
  browser = await launch(inject('chromium'), MICROPHONE)
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

const [ALINE, JEAN_PAUL, GRACE] = DEMO_CLIENTS.map(({ name }) => name) as [string, string, string]

/** Into the folder that SCREENSHOTS names, else into a temporary one. */
const pictures = process.env.SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'market-day-'))

async function takePicture(page: Page, name: string): Promise<void> {
  await page.evaluate('scrollTo(0, 0)')
  await page.screenshot({ path: join(pictures, `${name}.png`) })
}

async function write(page: Page, name: string, text: string): Promise<void> {
  const field = page.getByLabel(`Message from ${name}`)
  await field.fill(text)
  await field.press('Enter')
}

const phone = (page: Page, name: string) => page.getByRole('region', { name: `${name}, ` })

/** The vendors who were asked about a request, as the market has them stored. */
async function readRequests() {
  const outcome = await app.call('marketplace.list_requests', {})
  if (outcome.status !== 'done') throw new Error(JSON.stringify(outcome))
  const { requests } = outcome.data as {
    readonly requests: readonly {
      readonly request_id: string
      readonly client: string
      readonly state: string
    }[]
  }
  return new Map(requests.map((one) => [one.client, one]))
}

/** The names of vendors whose phones show a question about this need and no answer yet. */
async function readAsked(need: RegExp): Promise<readonly string[]> {
  const { phones, conversations } = app.whatsapp.state
  return [...phones.values()]
    .filter(({ role, number }) => {
      const last = conversations.get(number)?.at(-1)
      const text = last !== undefined && 'text' in last.content ? last.content.text : ''
      return role === 'vendor' && last?.direction === 'out' && need.test(text)
    })
    .map(({ name }) => name)
}

/** Each vendor who was asked answers on their own phone. */
async function answerAll(page: Page, need: RegExp, answers: readonly string[]): Promise<void> {
  await expect.poll(() => readAsked(need), PATIENT).toHaveLength(5)
  const vendors = await readAsked(need)
  for (const [index, name] of vendors.entries()) {
    const answer = answers[index]
    if (answer !== undefined) await write(page, name, answer)
  }
}

const stateOf = async (client: string) => (await readRequests()).get(client)?.state

test(
  'three clients, two shortlists and one call, on the phones',
  async () => {
    const page = await (
      await browser.newContext({ viewport: { width: 1280, height: 1010 } })
    ).newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${app.whatsapp.url}/phones`)
    for (const { name, first } of DEMO_CLIENTS) await write(page, name, first)

    await answerAll(page, /amoxicilline/i, [
      'Yego turayifite, ni 3,500 RWF',
      'Ndayifite, 4k',
      'Yes we have it, 3000 RWF',
    ])
    await phone(page, ALINE)
      .getByText(/3[ ,.]?000/)
      .first()
      .waitFor(PATIENT)
    expect(await stateOf(ALINE)).toBe('shortlist_ready')

    await answerAll(page, /chargeur|laptop/i, [
      'Oui, disponible. 18 000 FRW',
      'oui dispo, 15k',
      'In stock. 17500 RWF',
    ])
    await phone(page, JEAN_PAUL)
      .getByText(/15[ ,.]?000/)
      .first()
      .waitFor(PATIENT)
    expect(await stateOf(JEAN_PAUL)).toBe('shortlist_ready')
    await takePicture(page, 'market-phones')

    // The third client found it elsewhere.
    await expect.poll(async () => (await readAsked(/cement/i)).length, PATIENT).toBeGreaterThan(2)
    await write(page, GRACE, 'cancel')
    await expect.poll(() => stateOf(GRACE), PATIENT).toBe('closed')

    const operator = await openOperatorPage(complaints)
    await takeCall(page, operator)
    await takeOver(operator)
    expect(complaints).toEqual([])
  },
  TEST_MS,
)

/** Without this page no call can be placed: the offer of a call is the one of its browser. */
async function openOperatorPage(complaints: string[]): Promise<Page> {
  const { identityApi } = app.server.app
  await identityApi.principals.put(systemCaller('demo'), 'olive', {
    name: 'Olive',
    roles: ['admin', 'user'],
  })
  const { token } = await identityApi.tokens.create(systemCaller('demo'), {
    principal: 'olive',
    name: 'operator',
  })
  const page = await (await browser.newContext()).newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  await signIn(page, `http://127.0.0.1:${app.server.port}/marketplace/operator`, token)
  await page.getByRole('button', { name: 'I am ready' }).click(PATIENT)
  await page.getByText('Ready. The next call to a client is yours.').waitFor(PATIENT)
  return page
}

/** An operator takes over a conversation, pauses it and hands it back. */
async function takeOver(operator: Page): Promise<void> {
  const row = operator.getByRole('row').filter({ hasText: ALINE })
  for (const [button, answers] of [
    ['Take over', 'an operator'],
    ['Pause', 'nobody (paused)'],
    ['Hand back', 'the marketplace'],
  ] as const) {
    await row.getByRole('button', { name: button }).click(PATIENT)
    await row.getByText(answers).waitFor(PATIENT)
    if (button === 'Take over') await takePicture(operator, 'market-operator')
  }
}

/** Jean-Paul asks for a call, allows it twice (to the market and to WhatsApp) and takes it. */
async function takeCall(page: Page, operator: Page): Promise<void> {
  const own = phone(page, JEAN_PAUL)
  await write(page, JEAN_PAUL, 'Appelez-moi')
  await own
    .getByText(/WhatsApp/)
    .last()
    .waitFor(PATIENT)
  await write(page, JEAN_PAUL, 'oui')
  await own.getByRole('button', { name: 'Allow calls' }).click(PATIENT)
  await own.getByText('Allowed calls', { exact: true }).waitFor(PATIENT)
  const { request_id: id } = (await readRequests()).get(JEAN_PAUL) ?? { request_id: '' }
  const consents = await app.call('marketplace.list_consents', { request_id: id })
  const [consent] =
    consents.status === 'done'
      ? (consents.data as { readonly consents: readonly { readonly consent_id: string }[] })
          .consents
      : []
  await app.call('marketplace.start_call', { consent_id: consent?.consent_id ?? '' })
  await own.getByRole('button', { name: 'Accept' }).waitFor(PATIENT)
  await takePicture(page, 'market-call')
  await operator.getByText(/^Call to \*\*\*/).waitFor(PATIENT)
  await own.getByRole('button', { name: 'Accept' }).click()
  await own.getByRole('button', { name: 'Hang up' }).click()
  const readEnd = async (): Promise<string> => {
    const outcome = await app.call('marketplace.request_timeline', { request_id: id })
    return outcome.status === 'done' ? JSON.stringify(outcome.data) : ''
  }
  await expect.poll(readEnd, PATIENT).toContain('completed')
  await operator.getByText('The call is over.').waitFor(PATIENT)
}
