import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import {
  ActionButtons,
  ActionCallPermission,
  ActionList,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  Interactive,
  ListSection,
  Reaction,
  Row,
  Template,
  Text,
} from 'whatsapp-api-js/messages'
import { WhatsAppAPI } from 'whatsapp-api-js/middleware/node-http'
import type { ClientMessage } from 'whatsapp-api-js/types'
import type { MessageContent } from '../../messages/messaging-port.ts'
import { whatsAppMessaging } from '../../messages/providers/whatsapp.ts'
import { DEFAULT_SETTINGS } from './settings.ts'
import { startWhatsApp, type WhatsAppEmulator } from './start-whatsapp.ts'

const { accessToken, appSecret, phoneNumberId, verifyToken } = DEFAULT_SETTINGS
const VERSION = 'v24.0'
const ALINE = '250788111222'
const TO = { phone: ALINE, bsuid: '' }
const TEMPLATE = { name: 'vendor_request', language: 'en', body: 'A client asks: {{1}}. {{2}}?' }

const running: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop()
})

function createClient(url: () => string): WhatsAppAPI {
  return new WhatsAppAPI({
    token: accessToken,
    appSecret,
    webhookVerifyToken: verifyToken,
    v: VERSION,
    ponyfill: {
      // The published client knows one host only.
      fetch: (input, init) =>
        fetch(String(input).replace('https://graph.facebook.com', url()), init),
    },
  })
}

/** The emulator, and the published client as the business in front of it. */
async function start(): Promise<{ client: WhatsAppAPI; whatsapp: WhatsAppEmulator }> {
  let url = ''
  const client = createClient(() => url)
  const server = createServer((request, response) => {
    if (request.method === 'GET') response.end(client.handle_get(request))
    else
      client.handle_post(request).then((status) => {
        response.statusCode = status
        response.end()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const whatsapp = await startWhatsApp({
    settings: { webhookUrl: `http://127.0.0.1:${port}/`, templates: [TEMPLATE] as never },
    phones: [{ number: ALINE, name: 'Aline', role: 'client', language: 'rw', isOnline: true }],
  })
  running.push(whatsapp.stop)
  url = whatsapp.url
  return { client, whatsapp }
}

const buttons = new Interactive(
  new ActionButtons(new Button('y', 'Yego'), new Button('n', 'Oya')),
  new Body('Ni byo?'),
)
const list = new Interactive(
  new ActionList('Choose', new ListSection(undefined, new Row('a', 'First'))),
  new Body('Which one?'),
)
const permission = new Interactive(new ActionCallPermission(), new Body('May we call you?'))
const template = new Template(
  'vendor_request',
  'en',
  new BodyComponent(new BodyParameter('amoxicillin'), new BodyParameter('Price')),
)

describe('the published client as the business', () => {
  test('is verified, receives signed messages, answers them and gets their states', async () => {
    const { client, whatsapp } = await start()
    const seen: unknown[] = []
    client.on.message = async ({ message, name, reply, received }) => {
      seen.push([message.type, name])
      await received()
      await reply(new Text('Murakaza neza'), true, 'opaque')
    }
    client.on.status = ({ status, phone, biz_opaque_callback_data: opaque }) => {
      seen.push([status, phone, opaque])
    }
    whatsapp.act(ALINE, { type: 'text', text: 'Muraho, nshaka umuti wa "é" 😀 / \u2028' })
    await expect
      .poll(() => seen)
      .toEqual([
        ['text', 'Aline'],
        ['sent', ALINE, 'opaque'],
        ['delivered', ALINE, 'opaque'],
      ])
    const [first, second] = whatsapp.state.conversations.get(ALINE) ?? []
    expect([first?.status, second?.quotes]).toEqual(['read', first?.id])
  })

  test('sends each kind of message, and the answers of the phone come back to it', async () => {
    const { client, whatsapp } = await start()
    const seen: unknown[] = []
    client.on.message = ({ message }) => {
      seen.push(message.type === 'interactive' ? message.interactive.type : message.type)
    }
    whatsapp.act(ALINE, { type: 'text', text: 'hello' })
    const ids: string[] = []
    for (const message of [buttons, list, permission, template]) {
      const answer = await client.sendMessage(phoneNumberId, TO, message)
      ids.push('messages' in answer ? answer.messages[0].id : '')
    }
    const reaction = new Reaction(ids[0] ?? '', '👍')
    expect(await client.sendMessage(phoneNumberId, TO, reaction)).toHaveProperty('messages')
    whatsapp.act(ALINE, { type: 'choose', message: ids[0] ?? '', choice: 'y' })
    whatsapp.act(ALINE, { type: 'choose', message: ids[1] ?? '', choice: 'a' })
    whatsapp.act(ALINE, { type: 'call-permission', response: 'accept' })
    whatsapp.act(ALINE, { type: 'location', latitude: -1.95, longitude: 30.12 })
    await expect
      .poll(() => seen)
      .toEqual(['text', 'button_reply', 'list_reply', 'call_permission_reply', 'location'])
    expect(
      (whatsapp.state.conversations.get(ALINE) ?? []).flatMap(({ content, direction }) =>
        direction === 'out' ? [content.kind] : [],
      ),
    ).toEqual(['buttons', 'list', 'call-permission-request', 'template', 'reaction'])
  })

  test('uploads, finds, downloads and deletes media', async () => {
    const { client } = await start()
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array([137, 80, 78, 71])], { type: 'image/png' }), 'a.png')
    const uploaded = await client.uploadMedia(phoneNumberId, form)
    const id = 'id' in uploaded ? uploaded.id : ''
    const found = await client.retrieveMedia(id)
    expect(found).toMatchObject({ id, mime_type: 'image/png', file_size: '4' })
    const response = await client.fetchMedia('url' in found ? found.url : '')
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([137, 80, 78, 71])
    expect(await client.deleteMedia(id)).toEqual({ success: true })
    expect(await client.retrieveMedia(id)).toHaveProperty('error.code', 100)
  })

  test('calls, and follows the call to its end', async () => {
    const { client, whatsapp } = await start()
    const seen: unknown[] = []
    client.on.call = {
      status: ({ status }) => void seen.push(status),
      connect: ({ call }) => void seen.push(call.session.sdp.slice(0, 3)),
      terminate: ({ call }) => void seen.push(call.status),
    }
    whatsapp.act(ALINE, { type: 'call-permission', response: 'accept' })
    const placed = await client.initiateCall(phoneNumberId, TO, 'v=0\r\n', 'opaque')
    const call = 'calls' in placed ? placed.calls[0].id : ('wacid.none' as const)
    whatsapp.act(ALINE, { type: 'call', call, action: 'accept' })
    expect(await client.terminateCall(phoneNumberId, call)).toMatchObject({ success: true })
    await expect.poll(() => seen).toEqual(['RINGING', 'v=0', 'ACCEPTED', 'COMPLETED'])
  })
})

describe('our provider beside the published client', () => {
  /** The JSON that reaches Graph. */
  async function capture(send: (fetch: typeof globalThis.fetch) => Promise<unknown>) {
    const bodies: unknown[] = []
    await send(async (_, init) => {
      // Fields that both may leave out, because they name Graph's default.
      const isDefault = (name: string, value: unknown): boolean =>
        (name === 'preview_url' && value === false) ||
        (name === 'policy' && value === 'deterministic')
      bodies.push(
        JSON.parse(String(init?.body), (name, value) =>
          isDefault(name, value) ? undefined : value,
        ),
      )
      return Response.json({ messages: [{ id: 'wamid.1' }] })
    })
    return bodies[0]
  }

  const cases: readonly (readonly [string, MessageContent, ClientMessage])[] = [
    ['text', { kind: 'text', text: 'Muraho' }, new Text('Muraho', false)],
    [
      'buttons',
      {
        kind: 'buttons',
        text: 'Ni byo?',
        buttons: [
          { id: 'y', title: 'Yego' },
          { id: 'n', title: 'Oya' },
        ],
      },
      buttons,
    ],
    [
      'list',
      {
        kind: 'list',
        text: 'Which one?',
        button: 'Choose',
        rows: [{ id: 'a', title: 'First' }],
      },
      list,
    ],
    ['call permission', { kind: 'call_permission', text: 'May we call you?' }, permission],
    [
      'template',
      {
        kind: 'template',
        name: 'vendor_request',
        language: 'en',
        parameters: ['amoxicillin', 'Price'],
      },
      template,
    ],
  ]

  test.each(cases)('sends a %s as the same JSON', async (_, content, message) => {
    const ours = await capture((fetch) =>
      whatsAppMessaging({
        ...{ baseUrl: 'https://graph.facebook.com', key: accessToken, version: VERSION },
        ...{ phoneNumberId, fetchFor: () => fetch },
      }).send(
        { tenant: 't', to: ALINE, content, replyTo: 'wamid.0', callback: 'opaque' },
        new AbortController().signal,
      ),
    )
    const theirs = await capture((fetch) =>
      new WhatsAppAPI({
        token: accessToken,
        secure: false,
        v: VERSION,
        ponyfill: { fetch },
      }).sendMessage(phoneNumberId, { phone: ALINE } as never, message, 'wamid.0', 'opaque'),
    )
    expect(ours).toEqual(theirs)
  })
})
