import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Caller } from '@surehand/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  type BrowserApp,
  DESKTOP,
  judgePage,
  openBrowserApp,
  PHONE,
} from '../fixtures/browser-app.ts'
import { addDays, dateIn } from './read-day.ts'

const ZONE = 'Europe/Berlin'
const FLYER = 'Jazz in the Park\nSaturday 12 December 2026, 20:00\nGolden Gate Park, San Francisco'

/** The way from the browser to the server, which can be cut and restored. */
type Line = {
  readonly origin: string
  readonly leadTo: (port: number) => void
  readonly cut: () => Promise<void>
  readonly restore: () => Promise<void>
}

async function startLine(): Promise<Line> {
  const open = new Set<Socket>()
  let target = 0
  const server = createServer((socket) => {
    const further = connect(target, '127.0.0.1')
    for (const one of [socket, further]) {
      open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        socket.destroy()
        further.destroy()
      })
    }
    socket.pipe(further).pipe(socket)
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    leadTo: (to) => {
      target = to
    },
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
    restore: () => listen(port),
  }
}

let line: Line
let app: BrowserApp
let ann: Caller
let page: Page
beforeAll(async () => {
  line = await startLine()
  // Only the whole browser says whether a page can be installed.
  app = await openBrowserApp(inject('wholeChromium'), {
    publicUrl: line.origin,
    builtIn: ['personal', 'events'],
    // The reader of pictures has tests of its own, and takes seconds for each.
    providers: { ocr: { read: async () => ({ text: FLYER, lines: [] }) } },
  })
  line.leadTo(app.serving.port)
  ann = (await app.serving.app.identity.authenticateSession({
    id: 's',
    tenant: 'demo',
    principal: 'ann',
    expiresAt: Number.POSITIVE_INFINITY,
  })) as Caller
  await call('system.preferences_set', { time_zone: ZONE })
  await call('habit.create', { name: 'Read ten pages', frequency: 'daily' })
  await call('task.capture', { text: 'Book the hotel today !high @phone' })
  const today = dateIn(Date.now(), ZONE)
  await call('calendar.write', {
    calendarId: 'primary',
    event: { summary: 'Open house', start: { dateTime: today, timeZone: ZONE } },
  })
  await call('calendar.write', {
    calendarId: 'primary',
    event: {
      summary: 'Call with Tokyo',
      start: { dateTime: `${addDays(today, 1)}T17:00:00`, timeZone: 'Asia/Tokyo' },
      end: { dateTime: `${addDays(today, 1)}T18:00:00`, timeZone: 'Asia/Tokyo' },
    },
  })
  page = await app.openAsAnn()
})
afterAll(async () => {
  await line.cut()
  await app.close()
})

let calls = 0
async function call(tool: string, input: object): Promise<unknown> {
  const outcome = await app.serving.app.runtime.call({
    tool,
    input,
    caller: ann,
    surface: 'test',
    idempotencyKey: `t-${++calls}`,
  })
  if (outcome.status !== 'done') throw new Error(`${tool}: ${JSON.stringify(outcome)}`)
  return outcome.data
}

const read = (): Promise<string> => page.evaluate(`document.querySelector('main').innerText`)

async function titles(): Promise<readonly string[]> {
  const { tasks } = (await call('task.list', { limit: 50 })) as {
    readonly tasks: readonly { readonly title: string }[]
  }
  return tasks.map(({ title }) => title).toSorted()
}

/** A picture of 300 × 400 pixels. */
async function drawFlyer(): Promise<Buffer> {
  const sheet = await page.context().newPage()
  await sheet.setViewportSize({ width: 300, height: 400 })
  await sheet.setContent(
    `<body style="margin:0;padding:24px;background:#fdf3dc;color:#7a1f1f;font:20px/2.2 serif">${FLYER.replaceAll('\n', '<br>')}`,
  )
  const picture = await sheet.screenshot()
  await sheet.close()
  return picture
}

const judge = (name: string): Promise<void> => judgePage(page, `page-${name}`, 'screen')

test('the day shows calendar, tasks, habits and time in one zone, and takes what is noted and done', async () => {
  await page.goto(`${app.url}/day`)
  expect(await read()).toMatch(
    /All times are in Europe\/Berlin[\s\S]*all day Open house[\s\S]*Book the hotel[\s\S]*Read ten pages[\s\S]*deep work today/,
  )
  await judge('day')
  await page.getByLabel('Note down').fill('Buy stamps today')
  await page.getByRole('button', { name: 'Add as task' }).click()
  await page.getByRole('button', { name: 'Done: Buy stamps' }).click()
  await expect.poll(read).toContain('"Buy stamps" is completed.')
  expect(await titles()).toEqual(['Book the hotel'])
  await page.getByRole('button', { name: 'Done: Read ten pages' }).click()
  await expect.poll(read).toMatch(/Habits\s+All done\.\s+Done: Read ten pages\./)
})

test('it can be installed, opens without a connection, and sends later what was noted meanwhile, once', async () => {
  await page.goto(`${app.url}/day`)
  const debug = await page.context().newCDPSession(page)
  const findErrors = async () => {
    const { installabilityErrors } = await debug.send('Page.getInstallabilityErrors')
    return installabilityErrors.map(({ errorId }) => errorId)
  }
  // The browser of the test installs nothing, because it keeps nothing; that is all it minds.
  await expect.poll(findErrors).toEqual(['in-incognito'])
  const isKept = `caches.match('/day').then((one) => one !== undefined)`
  await expect.poll(() => page.evaluate<boolean>(isKept)).toBe(true)
  await line.cut()
  await page.reload()
  await expect.poll(read).toMatch(/No connection\. This is the state of \d\d:\d\d[\s\S]*Open house/)
  await page.getByLabel('Note down').fill('Ring the plumber')
  await page.getByRole('button', { name: 'Add as task' }).click()
  await expect.poll(read).toContain('This is stored here and sent later.')
  await app.picture(page, 'page-day-offline')
  expect(await titles()).toEqual(['Book the hotel'])
  await line.restore()
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await expect.poll(read).toContain('1 stored form was sent.')
  expect(await titles()).toEqual(['Book the hotel', 'Ring the plumber'])
  await page.reload()
  expect(await titles()).toEqual(['Book the hotel', 'Ring the plumber'])
})

test('a photo is read, reviewed in a summary with its picture and a map, changed in one field, and saved', async () => {
  await page.goto(`${app.url}/day`)
  const photo = await drawFlyer()
  await page
    .getByLabel('Photo of a flyer')
    .setInputFiles({ name: 'flyer.png', mimeType: 'image/png', buffer: photo })
  await page.getByRole('button', { name: 'Read the photo' }).click()
  // The places of the world are read for the first time.
  await expect.poll(read).toContain('Review it')
  await page.getByRole('link', { name: 'Review it' }).click()
  await page.getByRole('button', { name: 'Save' }).waitFor()
  expect(await read()).toMatch(
    /Title\s+Jazz in the Park\s+Change[\s\S]*Saturday 12 December 2026, 20:00[\s\S]*Golden Gate Park[\s\S]*America\/Los_Angeles[\s\S]*See the place on a map/,
  )
  await expect
    .poll(() => page.evaluate<number>(`document.querySelector('figure img').naturalWidth`))
    .toBe(300)
  await judge('review')
  await page.setViewportSize(PHONE)
  // A form of all fields had 4,600.
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(2_000)
  await page.locator('summary', { hasText: 'Title' }).click()
  await page.getByLabel('Title').fill('Jazz at noon')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(read).toContain('The call is done.')
  await page.setViewportSize(DESKTOP)
})

test('the calendar is a page, and a secret address that is replaced and closed', async () => {
  await page.goto(`${app.url}/calendar`)
  // 17:00 in Tokyo is 09:00 in Berlin in winter, and 10:00 in summer.
  expect(await read()).toMatch(/Open house[\s\S]*(?:09:00–10:00|10:00–11:00) Call with Tokyo/)
  await judge('calendar')
  const fetchFeed = async (change: string) => {
    await page.getByRole('button', { name: change }).click()
    const address = (await page.locator('pre').textContent()) ?? ''
    return { address, response: await fetch(address) }
  }
  const first = await fetchFeed('Show the address')
  expect(await first.response.text()).toMatch(/SUMMARY:Jazz at noon\r\n/)
  const second = await fetchFeed('Replace it')
  expect([second.response.status, (await fetch(first.address)).status]).toEqual([200, 404])
  await page.getByRole('button', { name: 'Close it' }).click()
  await expect.poll(read).toContain('its address no longer works')
  expect((await fetch(second.address)).status).toBe(404)
})

test('no page broke its own policy', () => {
  expect(app.complaints).toEqual([])
})
