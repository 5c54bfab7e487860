import { launch } from '@surehand/testing/fixtures/launch.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Phone } from '../whatsapp/record.ts'
import { DEFAULT_SETTINGS } from '../whatsapp/settings.ts'
import { startWhatsApp, type WhatsAppEmulator } from '../whatsapp/start-whatsapp.ts'

const ALINE: Phone = {
  number: '250700001001',
  name: 'Aline Uwase',
  role: 'client',
  language: 'rw',
  isOnline: true,
}
const SHOP: Phone = {
  number: '250700000001',
  name: 'Kimironko Pharmacy',
  role: 'vendor',
  language: 'en',
  category: 'pharmacy',
  place: 'Kimironko',
  isOnline: true,
}

let whatsapp: WhatsAppEmulator
let browser: Browser
const complaints: string[] = []

beforeAll(async () => {
  whatsapp = await startWhatsApp({ phones: [ALINE, SHOP] })
  browser = await launch(inject('chromium'))
})
afterAll(async () => {
  await browser.close()
  await whatsapp.stop()
})

async function open(viewport = { width: 1000, height: 760 }): Promise<Page> {
  const page = await (await browser.newContext({ viewport })).newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${whatsapp.url}/phones`)
  await page.getByRole('region', { name: 'Aline Uwase, client' }).waitFor()
  return page
}

async function send(message: object, path = 'messages'): Promise<void> {
  const { accessToken, phoneNumberId } = DEFAULT_SETTINGS
  const response = await fetch(`${whatsapp.url}/v24.0/${phoneNumberId}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', to: ALINE.number, ...message }),
  })
  expect(response.status).toBe(200)
}

const lastOf = (phone: Phone) => whatsapp.state.conversations.get(phone.number)?.at(-1)

test('a person writes, is answered live, taps a button and takes a call, with the keyboard alone', async () => {
  const page = await open()
  const phone = page.getByRole('region', { name: 'Aline Uwase, client' })
  await phone.getByLabel('Message from Aline Uwase').focus()
  await page.keyboard.type('Muraho, nshaka <img src=x onerror=alert(1)> umuti')
  await page.keyboard.press('Enter')
  await phone.getByText('nshaka <img src=x onerror=alert(1)> umuti').waitFor()
  const reply = (id: string) => ({ type: 'reply', reply: { id, title: id } })
  await send({
    type: 'interactive',
    interactive: {
      type: 'button',
      body: { text: 'Is this right?' },
      action: { buttons: [reply('Yego'), reply('Oya')] },
    },
  })
  await phone.getByRole('button', { name: 'Yego' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => lastOf(ALINE)?.content).toMatchObject({ choice: { id: 'Yego' } })
  const asking = { type: 'call_permission_request', action: { name: 'call_permission_request' } }
  await send({ type: 'interactive', interactive: asking })
  await phone.getByRole('button', { name: 'Allow calls' }).press('Enter')
  await phone.getByText('Allowed calls', { exact: true }).waitFor()
  await send({ action: 'connect', session: { sdp_type: 'offer', sdp: 'v=0\r\n' } }, 'calls')
  await phone.getByRole('button', { name: 'Accept' }).press('Enter')
  await phone.getByRole('button', { name: 'Hang up' }).press('Enter')
  await phone.getByRole('dialog').waitFor({ state: 'detached' })
  expect([...whatsapp.state.calls.values()].map(({ state }) => state)).toEqual(['ended'])
  expect(complaints).toEqual([])
})

test('pictures, places and voice notes are sent from the phone and shown in it', async () => {
  const page = await open()
  const phone = page.getByRole('region', { name: 'Aline Uwase, client' })
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const file = { name: 'prescription.png', mimeType: 'image/png', buffer: pixel }
  await phone.getByLabel('Picture from Aline Uwase').setInputFiles(file)
  await phone.getByRole('img', { name: 'Picture' }).waitFor()
  await phone.getByLabel('Location from Aline Uwase').selectOption('Kimironko')
  await phone.locator('.location').getByText('Kimironko').waitFor()
  await phone.getByRole('button', { name: 'Send a voice note' }).click()
  await phone.getByText('Voice note').waitFor()
  expect(complaints).toEqual([])
})

test('a vendor is opened from the list, and can be switched off the network', async () => {
  const page = await open()
  await page.getByLabel('Open a phone').selectOption(SHOP.number)
  const phone = page.getByRole('region', { name: 'Kimironko Pharmacy, vendor' })
  await phone.getByLabel('is online').uncheck()
  await expect.poll(() => whatsapp.state.phones.get(SHOP.number)?.isOnline).toBe(false)
  await phone.getByLabel('is online').check()
  await page.getByLabel('Vendors answer by themselves').check()
  await expect.poll(() => whatsapp.state.settings.vendorsAnswer).toBe(true)
  expect(complaints).toEqual([])
})

test('on a narrow screen the page itself does not scroll sideways', async () => {
  const page = await open({ width: 360, height: 640 })
  const overflow: number = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(overflow).toBe(0)
})
