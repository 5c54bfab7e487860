import { createHmac } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { launchWhatsApp } from './launch-whatsapp.ts'
import type { Phone } from './record.ts'
import { DEFAULT_SETTINGS, type SettingsPatch } from './settings.ts'
import { startWhatsApp, type WhatsAppEmulator } from './start-whatsapp.ts'

const { accessToken, appSecret, phoneNumberId, verifyToken } = DEFAULT_SETTINGS
const ALINE: Phone = {
  number: '250788111222',
  name: 'Aline',
  role: 'client',
  language: 'rw',
  isOnline: true,
}
const SHOP: Phone = { ...ALINE, number: '250788333444', name: 'Kimironko Pharmacy', role: 'vendor' }
const DAY_MS = 24 * 60 * 60_000

const running: { readonly stop: () => Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.stop()
})

type Webhook = { readonly field: string; readonly value: Readonly<Record<string, unknown>> }

/** A business that stores its webhooks, after it has verified their signatures. */
async function startBusiness(answer: (attempt: number) => number = () => 200) {
  const webhooks: Webhook[] = []
  let attempts = 0
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://business')
    if (request.method === 'GET') {
      const isRight = url.searchParams.get('hub.verify_token') === verifyToken
      response.writeHead(isRight ? 200 : 403).end(url.searchParams.get('hub.challenge'))
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      attempts += 1
      const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
      const status = signature === request.headers['x-hub-signature-256'] ? answer(attempts) : 401
      const parsed = JSON.parse(body.toString('utf8')) as {
        readonly entry: readonly { readonly changes: readonly Webhook[] }[]
      }
      if (status === 200) webhooks.push(...parsed.entry.flatMap(({ changes }) => changes))
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.push({
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const statuses = (): readonly string[] =>
    webhooks.flatMap(({ value }) =>
      ((value.statuses ?? []) as readonly { readonly status: string }[]).map(
        ({ status }) => status,
      ),
    )
  return { url: `http://127.0.0.1:${port}/hook`, webhooks, statuses, attempts: () => attempts }
}

async function start(settings: SettingsPatch = {}, now?: () => number): Promise<WhatsAppEmulator> {
  const whatsapp = await startWhatsApp({
    settings,
    phones: [ALINE, SHOP],
    ...(now === undefined ? {} : { now }),
  })
  running.push(whatsapp)
  return whatsapp
}

const text = (body: string, to = ALINE.number) => ({
  messaging_product: 'whatsapp',
  to,
  type: 'text',
  text: { body },
})

async function post(
  { url }: { readonly url: string },
  body: unknown,
  { path = 'messages', token = accessToken, id = phoneNumberId } = {},
) {
  const response = await fetch(`${url}/v24.0/${id}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as {
    readonly messages?: readonly [{ readonly id: string }]
    readonly calls?: readonly [{ readonly id: string }]
    readonly error?: { readonly code: number }
  }
  return { status: response.status, code: answer.error?.code, answer }
}

const button = (title: string) => ({ type: 'reply', reply: { id: title, title } })
const buttons = (...titles: string[]) => ({
  ...text(''),
  type: 'interactive',
  interactive: {
    type: 'button',
    body: { text: 'Which?' },
    action: { buttons: titles.map(button) },
  },
})

describe('messages of the business', () => {
  test.each([
    ['a wrong token', text('hi'), { token: 'other' }, 401, 190],
    ['another number', text('hi'), { id: '999' }, 400, 100],
    ['no text', { ...text('hi'), text: {} }, {}, 400, 131008],
    ['an empty text', text(''), {}, 400, 100],
    ['a type that does not exist', { ...text('hi'), type: 'song' }, {}, 400, 131051],
    ['four buttons', buttons('a', 'b', 'c', 'd'), {}, 400, 100],
    ['a title of 21 characters', buttons('x'.repeat(21)), {}, 400, 100],
    ['two equal titles', buttons('a', 'a'), {}, 400, 100],
    [
      'an unknown template',
      { ...text(''), type: 'template', template: { name: 'x', language: { code: 'en' } } },
      {},
      404,
      132001,
    ],
  ])('with %s are refused', async (_, body, options, status, code) => {
    const whatsapp = await start()
    whatsapp.act(ALINE.number, { type: 'text', text: 'hello' })
    expect(await post(whatsapp, body, options)).toMatchObject({ status, code })
    expect(whatsapp.records().some(({ kind }) => kind === 'sent')).toBe(false)
  })

  test('are delivered and read, each state with the opaque data of the business', async () => {
    const business = await startBusiness()
    const whatsapp = await start({ webhookUrl: business.url })
    whatsapp.act(ALINE.number, { type: 'text', text: 'Muraho, nshaka amoxicilline é/ü' })
    const sent = await post(whatsapp, { ...text('Yego'), biz_opaque_callback_data: 'key-1' })
    whatsapp.act(ALINE.number, { type: 'read' })
    await expect.poll(business.statuses).toEqual(['sent', 'delivered', 'read'])
    expect(business.webhooks[0]).toMatchObject({
      field: 'messages',
      value: {
        contacts: [{ profile: { name: 'Aline' }, wa_id: ALINE.number }],
        messages: [{ type: 'text', text: { body: 'Muraho, nshaka amoxicilline é/ü' } }],
      },
    })
    expect(business.webhooks[1]?.value.statuses).toEqual([
      expect.objectContaining({
        id: sent.answer.messages?.[0].id,
        recipient_id: ALINE.number,
        biz_opaque_callback_data: 'key-1',
      }),
    ])
  })

  test('outside the window of 24 hours fail with 131047, templates do not', async () => {
    const business = await startBusiness()
    let nowMs = Date.now()
    const template = { name: 'ask', language: 'en', body: 'Do you have {{1}}?' }
    const settings = { webhookUrl: business.url, templates: [template] }
    const whatsapp = await start(settings, () => nowMs)
    whatsapp.act(ALINE.number, { type: 'text', text: 'hello' })
    nowMs += DAY_MS + 1
    expect((await post(whatsapp, text('too late'))).status).toBe(200)
    await expect.poll(business.statuses).toEqual(['failed'])
    expect(business.webhooks.at(-1)?.value.statuses).toMatchObject([{ errors: [{ code: 131047 }] }])
    whatsapp.configure({ refusals: 'response' })
    expect(await post(whatsapp, text('too late'))).toMatchObject({ status: 400, code: 131047 })
    expect(await post(whatsapp, text('hi', '250700000000'))).toMatchObject({ code: 131026 })
    const parameters = (value: string) => ({
      ...text(''),
      type: 'template',
      template: {
        name: 'ask',
        language: { code: 'en' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: value }] }],
      },
    })
    expect((await post(whatsapp, parameters('rice'))).status).toBe(200)
    expect(whatsapp.state.conversations.get(ALINE.number)?.at(-1)?.content).toMatchObject({
      text: 'Do you have rice?',
    })
    expect((await post(whatsapp, parameters('two\nlines'))).code).toBe(100)
  })

  test('are limited: for the business, and for one phone', async () => {
    const whatsapp = await start({ messagesPerSecond: 5, burstPerPhone: 3 }, () => 1_000_000)
    for (const phone of [ALINE, SHOP]) whatsapp.act(phone.number, { type: 'text', text: 'hello' })
    const codes: unknown[] = []
    for (const to of [ALINE, ALINE, ALINE, ALINE, SHOP, SHOP, SHOP])
      codes.push((await post(whatsapp, text('hi', to.number))).code)
    expect(codes).toEqual([undefined, undefined, undefined, 131056, undefined, undefined, 130429])
  })

  test('wait for a phone without network', async () => {
    const business = await startBusiness()
    const whatsapp = await start({ webhookUrl: business.url })
    whatsapp.act(ALINE.number, { type: 'text', text: 'hello' })
    whatsapp.act(ALINE.number, { type: 'online', isOnline: false })
    await post(whatsapp, text('hi'))
    await expect.poll(business.statuses).toEqual(['sent'])
    whatsapp.act(ALINE.number, { type: 'online', isOnline: true })
    await expect.poll(business.statuses).toEqual(['sent', 'delivered'])
  })

  test('are read by the business, with blue ticks on the phone', async () => {
    const whatsapp = await start()
    whatsapp.act(ALINE.number, { type: 'text', text: 'hello' })
    const [message] = whatsapp.state.conversations.get(ALINE.number) ?? []
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: message?.id }
    expect((await post(whatsapp, body)).status).toBe(200)
    expect(message?.status).toBe('read')
    expect((await post(whatsapp, { ...body, message_id: 'wamid.other' })).code).toBe(131009)
  })
})

describe('choices', () => {
  test('of buttons and lists come back with the message that they belong to', async () => {
    const business = await startBusiness()
    const whatsapp = await start({ webhookUrl: business.url })
    whatsapp.act(ALINE.number, { type: 'text', text: 'hello' })
    const sent = await post(whatsapp, buttons('Yes', 'No'))
    const id = sent.answer.messages?.[0].id ?? ''
    whatsapp.act(ALINE.number, { type: 'choose', message: id, choice: 'No' })
    expect(() => whatsapp.act(ALINE.number, { type: 'choose', message: id, choice: 'x' })).toThrow()
    await expect
      .poll(() => business.webhooks.at(-1)?.value.messages)
      .toMatchObject([
        {
          type: 'interactive',
          context: { id },
          interactive: { type: 'button_reply', button_reply: { id: 'No', title: 'No' } },
        },
      ])
  })
})

describe('media', () => {
  test('are uploaded, looked up and downloaded with the token until their address expires', async () => {
    let nowMs = Date.now()
    const whatsapp = await start({ mediaUrlTtlMs: 60_000 }, () => nowMs)
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('file', new Blob(['\u0000\r\n--picture'], { type: 'image/png' }), 'a.png')
    const headers = { authorization: `Bearer ${accessToken}` }
    const base = `${whatsapp.url}/v24.0`
    const uploaded = await fetch(`${base}/${phoneNumberId}/media`, {
      method: 'POST',
      headers,
      body: form,
    })
    const { id } = (await uploaded.json()) as { readonly id: string }
    const found = (await (await fetch(`${base}/${id}`, { headers })).json()) as {
      readonly url: string
    }
    expect(found).toMatchObject({ id, mime_type: 'image/png', file_size: '12' })
    const download = async (init: RequestInit) => (await fetch(found.url, init)).status
    expect(await (await fetch(found.url, { headers })).text()).toBe('\u0000\r\n--picture')
    expect(await download({})).toBe(401)
    nowMs += 62_000
    expect(await download({ headers })).toBe(404)
  })
})

describe('calls', () => {
  test('need permission, then ring, are answered and end', async () => {
    const business = await startBusiness()
    const whatsapp = await start({ webhookUrl: business.url })
    const connect = {
      messaging_product: 'whatsapp',
      to: ALINE.number,
      action: 'connect',
      session: { sdp_type: 'offer', sdp: 'v=0\r\n' },
      biz_opaque_callback_data: 'call-key',
    }
    expect(await post(whatsapp, connect, { path: 'calls' })).toMatchObject({ code: 138006 })
    whatsapp.act(ALINE.number, { type: 'call-permission', response: 'accept' })
    const placed = await post(whatsapp, connect, { path: 'calls' })
    const id = placed.answer.calls?.[0].id ?? ''
    whatsapp.act(ALINE.number, { type: 'call', call: id, action: 'accept' })
    whatsapp.act(ALINE.number, { type: 'call', call: id, action: 'hang-up' })
    const events = () =>
      business.webhooks
        .filter(({ field }) => field === 'calls')
        .flatMap(({ value }) => [
          ...((value.statuses ?? []) as readonly { readonly status: string }[]).map(
            ({ status }) => status,
          ),
          ...((value.calls ?? []) as readonly { readonly event: string }[]).map(
            ({ event }) => event,
          ),
        ])
    await expect.poll(events).toEqual(['RINGING', 'connect', 'ACCEPTED', 'terminate'])
    expect(business.webhooks.at(-1)?.value.calls).toMatchObject([
      { status: 'COMPLETED', biz_opaque_callback_data: 'call-key' },
    ])
  })

  test('that nobody takes end after a while', async () => {
    const whatsapp = await start({ ringMs: 10 })
    whatsapp.act(ALINE.number, { type: 'call-permission', response: 'accept' })
    const session = { sdp_type: 'offer', sdp: 'v=0\r\n' }
    const body = { messaging_product: 'whatsapp', to: ALINE.number, action: 'connect', session }
    await post(whatsapp, body, { path: 'calls' })
    await expect.poll(() => [...whatsapp.state.calls.values()][0]?.state).toBe('missed')
  })
})

describe('webhooks', () => {
  test('are sent again until they are answered with 200', async () => {
    const business = await startBusiness((attempt) => (attempt <= 3 ? 500 : 200))
    const whatsapp = await start({ webhookUrl: business.url, maxRetryMs: 20 })
    whatsapp.act(ALINE.number, { type: 'text', text: 'hello' })
    await expect.poll(() => business.webhooks.length).toBe(1)
    expect(business.attempts()).toBe(4)
  })

  test('come twice, late and in another order on request, and none is lost', async () => {
    const business = await startBusiness()
    const webhooks = { duplicates: 0.5, maxDelayMs: 100, order: 'none' as const, batch: 3 }
    const whatsapp = await start({ webhookUrl: business.url, webhooks })
    const texts = Array.from({ length: 40 }, (_, index) => String(index))
    for (const one of texts) whatsapp.act(ALINE.number, { type: 'text', text: one })
    await expect.poll(whatsapp.waitingWebhooks).toBe(0)
    const received = business.webhooks.map(
      ({ value }) => (value.messages as readonly [{ text: { body: string } }])[0].text.body,
    )
    expect(new Set(received)).toEqual(new Set(texts))
    expect(received.length).toBeGreaterThan(45)
    expect(received.slice(0, 40)).not.toEqual(texts)
    expect(business.attempts()).toBeLessThan(received.length)
  })
})

test('a killed emulator continues: its messages are there, its webhooks are sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whatsapp-'))
  const first = await launchWhatsApp({ folder })
  running.push(first)
  const send = (url: string, body: unknown, path: string) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await send(first.url, [ALINE], '/phones')
  await send(first.url, { type: 'text', text: 'hello' }, `/phones/${ALINE.number}/actions`)
  await send(first.url, { type: 'voice' }, `/phones/${ALINE.number}/actions`)
  await first.kill()
  const business = await startBusiness()
  const second = await launchWhatsApp({ folder, settings: { webhookUrl: business.url } })
  running.push(second)
  await expect
    .poll(() => business.webhooks.map(({ value }) => value.messages))
    .toMatchObject([[{ type: 'text' }], [{ type: 'audio', audio: { voice: true } }]])
})

test('the phones are for this page only', async () => {
  const { url } = await start()
  const send = async (headers: Record<string, string>) =>
    (await fetch(`${url}/phones/settings`, { method: 'POST', headers, body: '{}' })).status
  const json = { 'content-type': 'application/json' }
  expect(await send({ ...json, origin: url })).toBe(204)
  expect(await send({ ...json, origin: 'https://elsewhere.example' })).toBe(403)
  expect(await send({ 'content-type': 'text/plain' })).toBe(403)
})

test('vendors answer by themselves when switched on, the same for the same seed', async () => {
  const answers: unknown[] = []
  for (const _ of [1, 2]) {
    const whatsapp = await start({ vendorsAnswer: true, maxAnswerMs: 10, seed: 'a' })
    whatsapp.act(SHOP.number, { type: 'text', text: 'hello' })
    await post(whatsapp, text('Do you have amoxicillin 500 mg?', SHOP.number))
    const conversation = () => whatsapp.state.conversations.get(SHOP.number) ?? []
    await expect.poll(() => conversation().length).toBe(3)
    answers.push(conversation().at(-1)?.content)
  }
  expect(answers[0]).toEqual(answers[1])
})
