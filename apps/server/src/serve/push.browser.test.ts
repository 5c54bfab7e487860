import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type BrowserApp, openBrowserApp } from '../fixtures/browser-app.ts'
import {
  decryptInPage,
  type HttpEmulator,
  startHttpEmulator,
  subscribeInPage,
} from '../fixtures/notification-emulators.ts'

let app: BrowserApp
let pushService: HttpEmulator
beforeAll(async () => {
  pushService = await startHttpEmulator(() => ({ status: 201 }))
  // Without its window Chromium shows no notifications.
  app = await openBrowserApp(inject('wholeChromium'), { privateHosts: [pushService.host] })
})
afterAll(async () => {
  await app.close()
  await pushService.close()
})

// Chromium's own push service is out of reach, so the message takes its last step by the
// browser's debugger; everything before and after it is the real thing.
async function deliver(page: Page, data: string): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first !== undefined) resolve(first.registrationId)
    })
  })
  await debug.send('ServiceWorker.enable')
  const registrationId = await registered
  await debug.send('ServiceWorker.deliverPushMessage', { origin: app.url, registrationId, data })
}

test('a push is encrypted for the subscribed browser, whose notification opens the decision', async () => {
  const page = await app.openAsAnn({ permissions: ['notifications'] })
  await page.addInitScript(subscribeInPage(`${pushService.url}/push`))
  await page.goto(`${app.url}/notifications`)
  await page.getByRole('button', { name: 'Notify this browser' }).click()
  await page.getByText(pushService.host).waitFor()
  const { id } = await app.ask('bank.transfer', 'pushed', { amount: '4 EUR', recipient: 'push' })
  // What waited before is pushed too.
  const findMessage = async (): Promise<string | undefined> => {
    const sent = pushService.received.map(({ body }) => decryptInPage(body))
    const messages = await Promise.all(sent.map((script) => page.evaluate<string>(script)))
    return messages.find((text) => text.includes(id))
  }
  await expect.poll(findMessage).toBeDefined()
  const message = (await findMessage()) ?? ''
  expect(JSON.parse(message)).toMatchObject({ url: `${app.url}/approvals/${id}` })
  const shown = `navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) => all.map(({ title, body }) => [title, body]))`
  // A browser drops what comes before its worker is active, and a push service sends it again.
  await expect
    .poll(async () => {
      await deliver(page, message)
      return page.evaluate<unknown>(shown)
    })
    .toEqual([['Waiting for you', 'Send 4 EUR to push?']])
  // Only a person's click may open a window, so the worker's own function is asked where to.
  const [worker] = page.context().serviceWorkers()
  const opened = await worker?.evaluate<string[]>(`(async () => {
    const opened = []
    clients.openWindow = async (url) => opened.push(url)
    const [notification] = await registration.getNotifications()
    dispatchEvent(new NotificationEvent('notificationclick', { notification }))
    return opened
  })()`)
  expect(opened).toEqual([`${app.url}/approvals/${id}`])
  await page.goto(opened?.[0] ?? '')
  expect(await page.locator('main').textContent()).toContain('Send 4 EUR to push?')
  expect(app.complaints).toEqual([])
})
