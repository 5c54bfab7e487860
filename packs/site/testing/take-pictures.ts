import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PackCommandContext } from '@surehand/core/host'
import { launch } from '@surehand/testing/fixtures/launch.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { siteCommand } from '../src/commands/site-command.ts'
import { demoContract } from '../src/demo/start-demo.ts'
import { openShopApp } from '../src/fixtures/shop-app.ts'
import { awaitIndex, openSiteServer, type SiteServer } from '../src/fixtures/site-server.ts'
import {
  approval,
  frameOf,
  hear,
  openWidget,
  PATIENT,
  sentence,
  type,
  visit,
  widget,
} from './widget-visit.ts'

// The pictures of docs/pictures: `node packs/site/testing/take-pictures.ts docs/pictures [CHROMIUM]`.

const [folder = '', executable = '/usr/bin/chromium'] = process.argv.slice(2)
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 780 }, hasTouch: true }
const app = await openShopApp<SiteServer>({}, openSiteServer)
await app.operate('site.connect', { contract: demoContract(app.shop.url) })
app.shop.embed({ script: `${app.url}/site/bridge.js`, data: { key: app.key } })
await app.operate('site.refresh_index', {})
await awaitIndex(app)
const browser = await launch(executable)

await take('shop-home', async () => {})
await take('shop-dark', async () => {}, { path: '/products/red-roses', colorScheme: 'dark' })
await take('shop-phone', async () => {}, PHONE)
await take('site-highlight', showHighlight, {
  path: '/products/red-roses',
  viewport: { width: 1600, height: 900 },
})
await take('site-order-read-back', shop)
await take('site-order-read-back-phone', shop, PHONE)
await take('site-booking-read-back', book)
await take(
  'site-widget-phone',
  async (page) => {
    await openWidget(page)
    await type(page, 'find red roses under 40')
    await page.waitForURL('**/products/*', PATIENT)
    await sentence(page, /I found/).waitFor(PATIENT)
  },
  PHONE,
)
await takeReport()
await browser.close()
await app.close()

async function take(
  name: string,
  prepare: (page: Page) => Promise<unknown>,
  { path = '/', ...options }: BrowserContextOptions & { readonly path?: string } = {},
): Promise<void> {
  const page = await visit(browser, `${app.shop.url}${path}`, options)
  await widget(page).getByRole('button').first().waitFor(PATIENT)
  await prepare(page)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.context().close()
}

/** As the agent shows where it is about to click. */
async function showHighlight(page: Page): Promise<void> {
  await openWidget(page)
  await type(page, 'help')
  await sentence(page, /I can search/).waitFor(PATIENT)
  const input = { selector: 'product.addToCart' }
  const answer = await frameOf(page).evaluate(`(async () => {
    const { token } = JSON.parse(sessionStorage.getItem('surehand.widget'))
    const response = await fetch('/site/calls', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'navigation.highlight', input: ${JSON.stringify(input)}, key: 'picture-of-highlight' }),
    })
    return response.text()
  })()`)
  if (!/"status":"success"/.test(String(answer))) throw new Error(`Not highlighted: ${answer}`)
}

async function shop(page: Page): Promise<void> {
  await openWidget(page)
  await type(page, 'find red roses under 40, add two, check out')
  await page.waitForURL('**/cart', PATIENT)
  await awaitDecision(page)
}

async function book(page: Page): Promise<void> {
  await openWidget(page)
  await widget(page).getByRole('button', { name: 'Speak' }).click()
  await widget(page).getByRole('button', { name: 'Switch it on' }).click()
  await widget(page).getByRole('button', { name: 'Stop listening' }).waitFor()
  await hear(page, 'book a fitting on Thursday afternoon')
  await awaitDecision(page)
}

async function awaitDecision(page: Page): Promise<void> {
  await approval(page).waitFor(PATIENT)
  await widget(page).getByRole('button', { name: 'Yes, do it', disabled: false }).waitFor(PATIENT)
}

/** The report of `surehand site inspect`, as a terminal shows it. */
async function takeReport(): Promise<void> {
  const lines: string[] = []
  const out = { write: (text: string) => lines.push(text) }
  const context = {
    args: ['inspect', app.shop.url, '--out', join(mkdtempSync(join(tmpdir(), 'surehand-')), 'x')],
    call: (tool: string, input: object) => app.operate(tool, input),
    stdout: out,
    stderr: out,
    printTable(head: readonly string[], rows: readonly (readonly string[])[]) {
      const all = [head, ...rows]
      const widths = head.map((_, column) =>
        Math.max(...all.map((row) => row[column]?.length ?? 0)),
      )
      for (const row of all)
        lines.push(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`)
    },
    printFailure: (answer: object) => lines.push(JSON.stringify(answer)),
  }
  await siteCommand.run(context as unknown as PackCommandContext)
  const text = lines
    .join('')
    .replaceAll(app.shop.url, 'https://thorn.example')
    .replaceAll('<', '&lt;')
  const page = await browser.newPage({ viewport: { width: 1280, height: 600 } })
  await page.setContent(
    `<pre style="font:14px/1.5 monospace;background:#101418;color:#e6edf3;margin:0;padding:24px;white-space:pre-wrap">$ surehand site inspect https://thorn.example\n${text.replace(/\/tmp\/\S*?\/x/g, 'site-contract.json')}</pre>`,
  )
  await page.locator('pre').screenshot({ path: join(folder, 'site-readiness.png') })
}
