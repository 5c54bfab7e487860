import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ROOT } from './markdown.ts'
import { SITE } from './stage-site.ts'

// The built site in a browser: minutes long, and not part of the gate (npm run test:packed).

const DIST = join(SITE, 'dist')
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}
const PAGES = [
  '/',
  '/start',
  '/concepts/pipeline',
  '/concepts/states',
  '/concepts/approvals',
  '/guides/approvals',
  '/tools/personal/',
  '/tools/personal/task',
  '/errors',
  '/api/@surehand/core',
  '/security',
]
// axe is injected from here: its own copy must not be found among the packages of the site.
const AXE = readFileSync(
  createRequire(join(ROOT, 'apps/server/package.json')).resolve('axe-core/axe.min.js'),
  'utf8',
)

type AxeAnswer = {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

let server: Server
let browser: Browser
let url: string

/** A folder as a web server with clean addresses shows it. */
function serveFolder(folder: string): Server {
  return createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').split(/[?#]/)[0] ?? '/')
    const file = [path, `${path}.html`, join(path, 'index.html')]
      .map((name) => join(folder, name))
      .find((name) => extname(name) !== '' && existsSync(name))
    if (file === undefined) response.writeHead(404).end('There is no such page.')
    else
      response
        .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
        .end(readFileSync(file))
  })
}

beforeAll(async () => {
  execFileSync(process.execPath, [join(import.meta.dirname, 'main.ts'), 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  server = serveFolder(DIST).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await chromium.launch({
    executablePath: inject('chromium'),
    args: ['--no-sandbox'],
  })
})
afterAll(async () => {
  await browser?.close()
  server?.close()
})

async function openPage(path: string, width = 1280): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  await page.goto(`${url}${path}`, { waitUntil: 'networkidle' })
  return page
}

test.each(PAGES)('%s has no violation with axe, no error and no overflow', async (path) => {
  const errors: string[] = []
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${url}${path}`, { waitUntil: 'networkidle' })
  expect(
    await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ),
  ).toBe(0)
  await page.evaluate(AXE)
  const { violations } = await page.evaluate<AxeAnswer>(`axe.run('main, .VPContent')`)
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  ).toEqual([])
  expect(errors).toEqual([])
  if (process.env.SCREENSHOTS !== undefined)
    await page.screenshot({
      path: join(process.env.SCREENSHOTS, `docs${path.replaceAll('/', '-')}phone.png`),
    })
  await page.close()
})

test('the search finds a tool, an error code and a guide', async () => {
  const page = await openPage('/start')
  for (const [words, address] of [
    ['task.capture', '/tools/personal/task'],
    ['TOOL_OUTCOME_UNKNOWN', '/errors'],
    ['rotate keys', '/guides/rotate-keys'],
  ] as const) {
    const box = page.locator('#localsearch-input')
    // The page hears no keys until its script has run.
    const isOpen = async () => {
      await page.keyboard.press('Control+k')
      return box.isVisible()
    }
    await expect.poll(isOpen).toBe(true)
    await box.fill(words)
    const targets = () =>
      page
        .locator('#localsearch-list a')
        .evaluateAll((links) =>
          links.map((link) => String((link as unknown as { href: string }).href)),
        )
    await expect.poll(targets).toContainEqual(expect.stringContaining(address))
    await page.keyboard.press('Escape')
  }
  await page.close()
})

test('the drawings are shown, and a link of the sidebar leads on', async () => {
  const page = await openPage('/concepts/pipeline')
  const width = () => page.evaluate("document.querySelector('.vp-doc img')?.naturalWidth")
  await expect.poll(width).toBeGreaterThan(0)
  await page.locator('.VPSidebar').getByRole('link', { name: 'The states of a call' }).click()
  await expect.poll(() => page.locator('h1').textContent()).toContain('The states of a call')
  await page.close()
})
