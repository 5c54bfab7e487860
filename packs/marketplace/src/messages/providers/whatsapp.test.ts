import { createHmac } from 'node:crypto'
import { ToolError } from '@surehand/core'
import type { PackRequest, PackServices } from '@surehand/core/host'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { conversation, request, vendor } from '../../../testing/market-rows.ts'
import {
  MARKET_NOW,
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
} from '../../../testing/market-world.ts'
import type { Phone } from '../../emulators/whatsapp/record.ts'
import { DEFAULT_SETTINGS } from '../../emulators/whatsapp/settings.ts'
import { startWhatsApp, type WhatsAppEmulator } from '../../emulators/whatsapp/start-whatsapp.ts'
import type { MessageContent } from '../messaging-port.ts'
import { WEBHOOK_ROUTES } from '../webhook-routes.ts'
import { readWebhook } from './read-webhook.ts'
import { whatsAppCalling, whatsAppMessaging } from './whatsapp.ts'

const { accessToken, appSecret, phoneNumberId, verifyToken } = DEFAULT_SETTINGS
const ALINE: Phone = {
  number: '250788555001',
  name: 'Aline',
  role: 'client',
  language: 'en',
  isOnline: true,
}
const SIGNAL = new AbortController().signal
const OPEN = { tenant: 'market', to: ALINE.number, callback: 'call_1 msg_1 key' }

let emulator: WhatsAppEmulator | undefined
afterEach(async () => {
  await emulator?.stop()
  emulator = undefined
})

async function start() {
  emulator = await startWhatsApp({
    phones: [ALINE],
    settings: {
      refusals: 'response',
      templates: [
        {
          name: 'client_update',
          language: 'en',
          body: 'News: {{1}}',
          category: 'utility',
          buttons: [],
          asksForCallPermission: false,
        },
      ],
    },
  })
  const access = {
    baseUrl: emulator.url,
    key: accessToken,
    fetchFor: () => fetch,
    phoneNumberId,
    version: 'v25.0',
  }
  return {
    emulator,
    messaging: whatsAppMessaging(access),
    calling: whatsAppCalling(access),
    wrongKey: whatsAppMessaging({ ...access, key: 'another' }),
  }
}

describe('the Cloud API', () => {
  test.each<[string, MessageContent]>([
    ['text', { kind: 'text', text: 'Which dose?' }],
    [
      'buttons',
      { kind: 'buttons', text: 'Shall we?', buttons: [{ id: 'option-1', title: 'Yes' }] },
    ],
    [
      'list',
      { kind: 'list', text: 'Which?', button: 'Choose', rows: [{ id: 'option-1', title: 'One' }] },
    ],
    ['call permission', { kind: 'call_permission', text: 'May we call?' }],
  ])('takes a %s within the window', async (_, content) => {
    const { emulator, messaging } = await start()
    emulator.act(ALINE.number, { type: 'text', text: 'hello' })
    const { provider_message_id: id } = await messaging.send({ ...OPEN, content }, SIGNAL)
    expect(emulator.state.messages.get(id)).toMatchObject({
      phone: ALINE.number,
      opaque: OPEN.callback,
    })
  })

  test('takes a template outside the window, and refuses text there', async () => {
    const { messaging } = await start()
    const template = {
      kind: 'template',
      name: 'client_update',
      language: 'en',
      parameters: ['soon'],
    } as const
    expect(await messaging.send({ ...OPEN, content: template }, SIGNAL)).toEqual({
      provider_message_id: expect.stringMatching(/^wamid\./),
    })
    await expect(
      messaging.send({ ...OPEN, content: { kind: 'text', text: 'hi' } }, SIGNAL),
    ).rejects.toMatchObject({ effect: 'refused' })
  })

  test('a wrong token sends nothing, and no number is in the error', async () => {
    const { wrongKey } = await start()
    const failed = wrongKey.send({ ...OPEN, content: { kind: 'text', text: 'hi' } }, SIGNAL)
    await expect(failed).rejects.toMatchObject({ code: 'TOOL_API_KEY_INVALID' })
    await expect(failed).rejects.toThrow(/^(?!.*250788555001)/)
  })

  test.each([
    [{ kind: 'reset', when: 'after' }, 'possible'],
    [{ kind: '500', when: 'after' }, 'possible'],
    [{ kind: '429', retryAfterSeconds: 1 }, 'none'],
  ] as const)('after %j the effect is %s', async (fault, effect) => {
    const { emulator, messaging } = await start()
    emulator.act(ALINE.number, { type: 'text', text: 'hello' })
    emulator.fail(fault, { target: { method: 'POST' } })
    await expect(
      messaging.send({ ...OPEN, content: { kind: 'text', text: 'hi' } }, SIGNAL),
    ).rejects.toMatchObject({ effect })
  })

  test('media are downloaded with the token', async () => {
    const { emulator, messaging } = await start()
    const bytes = Buffer.from('89504e470d0a1a0a', 'hex')
    emulator.act(ALINE.number, {
      type: 'image',
      data: bytes.toString('base64'),
      mediaType: 'image/png',
    })
    const received = [...emulator.state.messages.values()].at(-1)
    const content = received?.content as { readonly mediaId: string } | undefined
    const mediaId = content?.mediaId ?? ''
    const file = await messaging.download({ tenant: 'market', mediaId }, SIGNAL)
    expect([file.mediaType, Buffer.from(file.bytes).equals(bytes)]).toEqual(['image/png', true])
  })

  test('the token is sent to no other host', async () => {
    const asked: string[] = []
    const answers = [
      Response.json({ url: 'https://evil.example/media', mime_type: 'image/png' }),
      new Response('bytes'),
    ]
    const messaging = whatsAppMessaging({
      baseUrl: 'https://graph.facebook.com',
      key: 'secret',
      phoneNumberId,
      version: 'v25.0',
      fetchFor: () => async (input) => {
        asked.push(String(input))
        return answers.shift() ?? new Response('')
      },
    })
    await expect(messaging.download({ tenant: 'market', mediaId: '1' }, SIGNAL)).rejects.toThrow(
      'a host that is not its own',
    )
    expect(asked).toHaveLength(1)
  })

  test('a call needs the permission of the person called', async () => {
    const { emulator, calling, messaging } = await start()
    const call = { ...OPEN, sdp: 'v=0\r\n' }
    expect(await calling.permission(OPEN, SIGNAL)).toMatchObject({ mayCall: false })
    await expect(calling.place(call, SIGNAL)).rejects.toMatchObject({ effect: 'none' })
    emulator.act(ALINE.number, { type: 'text', text: 'hello' })
    await messaging.send({ ...OPEN, content: { kind: 'call_permission', text: 'May we?' } }, SIGNAL)
    emulator.act(ALINE.number, { type: 'call-permission', response: 'accept' })
    expect(await calling.permission(OPEN, SIGNAL)).toMatchObject({ mayCall: true })
    expect(await calling.place(call, SIGNAL)).toEqual({
      provider_call_id: expect.stringMatching(/^wacid\./),
    })
  })
})

describe('the webhook', () => {
  let database: MarketDatabase
  beforeAll(async () => {
    database = await openMarketDatabase()
  })
  afterAll(() => database.close())

  const [verify, receive] = WEBHOOK_ROUTES.map((route) => route.handle)
  const secrets: Record<string, string> = {
    WHATSAPP_APP_SECRET: appSecret,
    WHATSAPP_VERIFY_TOKEN: verifyToken,
    WHATSAPP_PHONE_NUMBER_ID: phoneNumberId,
  }
  const open = () =>
    database.open({
      rows: [conversation('cnv_1'), request('req_1'), ...vendor('ven_1')],
      settings: secrets,
    })

  function toRequest(
    world: MarketWorld,
    init: RequestInit & { readonly query?: string },
  ): PackRequest {
    const services = { ...world.given, home: world.tenant } as unknown as PackServices
    return {
      request: new Request(`https://market.example/marketplace/whatsapp${init.query ?? ''}`, init),
      params: {},
      caller: undefined,
      address: '127.0.0.1',
      services,
    }
  }

  const sign = (body: string): string =>
    `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`

  const post = async (world: MarketWorld, body: string, signature = sign(body)) =>
    (
      await receive?.(
        toRequest(world, {
          method: 'POST',
          body,
          headers: { 'x-hub-signature-256': signature },
        }),
      )
    )?.status

  const BODY = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [
          {
            field: 'messages',
            value: {
              metadata: { phone_number_id: phoneNumberId },
              contacts: [{ wa_id: ALINE.number, profile: { name: 'Aline' } }],
              messages: [
                {
                  from: ALINE.number,
                  id: 'wamid.A',
                  timestamp: String(MARKET_NOW / 1000),
                  type: 'text',
                  text: { body: 'Muraho' },
                },
              ],
              statuses: [
                { id: 'wamid.B', status: 'read', timestamp: String(MARKET_NOW / 1000) },
                { id: 'wamid.B', status: 'a new state', timestamp: '1' },
              ],
            },
          },
        ],
      },
    ],
  })

  test('answers the verification of its address', async () => {
    const world = await open()
    const ask = (token: string) =>
      verify?.(
        toRequest(world, {
          query: `?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`,
        }),
      )
    expect(await (await ask(verifyToken))?.text()).toBe('42')
    expect((await ask('another'))?.status).toBe(403)
    await world.close()
  })

  test('stores what is signed, once, and answers at once', async () => {
    const world = await open()
    expect(await Promise.all([post(world, BODY), post(world, BODY), post(world, BODY)])).toEqual([
      200, 200, 200,
    ])
    const rows = await world.query(
      "select key, state from calls where tenant = ? and tool_id = 'marketplace.handle_event' order by key",
      world.tenant,
    )
    expect(rows).toEqual([
      { key: 'message/wamid.A', state: 'queued' },
      { key: 'status/wamid.B/read', state: 'queued' },
    ])
    await world.close()
  })

  test('wants an event again that was perhaps not stored', async () => {
    const world = await open()
    const postAfter = (settled: boolean | undefined) => {
      const error = new ToolError('TOOL_OUTCOME_UNKNOWN', 'Lost.', { details: { settled } })
      const call = async () => ({ status: 'failed', source: 'executed', error }) as never
      return post({ ...world, given: { ...world.given, call } }, BODY)
    }
    expect([await postAfter(false), await postAfter(undefined)]).toEqual([503, 200])
    await world.close()
  })

  test('refuses what is not signed over its very bytes', async () => {
    const world = await open()
    expect(await post(world, BODY, 'sha256=00')).toBe(401)
    expect(await post(world, BODY, sign(`${BODY} `))).toBe(401)
    expect(await post(world, BODY, sign(BODY).replace('sha256', 'sha1'))).toBe(401)
    expect(await post(world, '{}')).toBe(400)
    await world.close()
  })

  test('an event is acted on by a worker, also after a duplicate', async () => {
    const world = await open()
    await post(world, BODY)
    const [event] = readWebhook(BODY, phoneNumberId) ?? []
    if (event === undefined) throw new Error('The body has no event.')
    const done = await world.receiveByJob(event)
    expect(done.data).toEqual({ done: 'vendors are asked' })
    await world.close()
  })

  test('another number of the business is not read', () => {
    expect(readWebhook(BODY, 'another')).toEqual([])
    expect(readWebhook('not json', phoneNumberId)).toBeUndefined()
  })
})
