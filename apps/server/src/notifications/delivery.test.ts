import { createPublicKey, verify } from 'node:crypto'
import { type FakeClock, fakeClock } from '@surehand/conformance'
import type { Caller } from '@surehand/core'
import { memoryStores } from '@surehand/core'
import type { Approval } from '@surehand/core/ports'
import { createEgress, type Egress } from '@surehand/egress'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  type HttpEmulator,
  startHttpEmulator,
  subscribedBrowser,
} from '../fixtures/notification-emulators.ts'
import { createActionLinks } from './action-links.ts'
import {
  createNotifier,
  type NotificationContext,
  type Recipient,
} from './deliver-notifications.ts'
import { composeMessage } from './message.ts'
import { NO_SETTINGS, type StoredSettings } from './settings.ts'
import { derivePushKeys, encryptPush, vapidAuthorization } from './web-push.ts'

const PUSH_KEYS = derivePushKeys('an installation of thirty-two characters')
const APPROVAL = {
  id: 'appr_1',
  tenant: 'acme',
  principal: 'ann',
  toolId: 'shop.buy',
  callId: 'call_1',
  kind: 'confirm',
  reversible: false,
  asks: 'Buy tea for 12.99 EUR?',
  shown: '{"actor":"ai_agent","consequence":"The card is charged."}',
  digest: 'd',
  state: 'pending',
  createdAt: 0,
  expiresAt: 90_000_000,
} as unknown as Approval

let clock: FakeClock
let egress: Egress
let emulator: HttpEmulator
let answers: Record<string, Answer>
let gone: string[]
let context: NotificationContext
let recipients: Recipient[]

beforeEach(async () => {
  clock = fakeClock()
  answers = {}
  gone = []
  recipients = []
  emulator = await startHttpEmulator((path) => answers[path] ?? { status: 201 })
  const port = Number(new URL(emulator.url).port)
  egress = createEgress({ policyOf: () => ({ allow: [{ host: '127.0.0.1', port }] }) })
  const now = clock.now()
  context = {
    values: memoryStores({ clock }).values,
    clock,
    random: () => 0.5,
    channels: async () => ({
      egress,
      clock,
      pushKeys: PUSH_KEYS,
      subject: 'https://tools.example',
      mail: undefined,
      slack: undefined,
    }),
    onTrouble: () => undefined,
    tenants: async () => ['acme'],
    recipients: async () => recipients,
    approvals: async () => [{ ...APPROVAL, createdAt: now, expiresAt: now + 90_000_000 }],
    questions: async () => [],
    mayDecide: (caller, approval) =>
      caller.principal === approval.principal || caller.roles.includes('admin'),
    callerOf: async ({ principal }) => person(principal),
    compose: (waiting, recipient) =>
      composeMessage(waiting, recipient, {
        links: createActionLinks(Buffer.alloc(32)),
        publicUrl: 'https://tools.example',
      }),
    onGone: async (_, channel) => void gone.push(channel.kind),
  }
})

afterEach(async () => {
  await egress.close()
  await emulator.close()
})

function person(principal: string, roles: readonly string[] = []): Caller {
  return { tenant: 'acme', principal, actor: 'user', roles, capabilities: [] }
}

function webhookOf(path: string): Partial<StoredSettings> {
  return { webhook: { url: `${emulator.url}${path}`, secret: 'whsec_c2VjcmV0' } }
}

function add(
  principal: string,
  settings: Partial<StoredSettings>,
  roles?: readonly string[],
): void {
  recipients.push({ caller: person(principal, roles), settings: { ...NO_SETTINGS, ...settings } })
}

async function lookOnce(notifier = createNotifier(context)): Promise<void> {
  await notifier.look()
  await notifier.end()
}

const paths = (): readonly string[] => emulator.received.map(({ path }) => path)

describe('a notification', () => {
  test('is sent once, however often the nodes look and whichever restarts', async () => {
    add('ann', webhookOf('/ann'))
    const nodes = [createNotifier(context), createNotifier(context)]
    for (let round = 0; round < 3; round++) await Promise.all(nodes.map((node) => lookOnce(node)))
    await clock.advance(3_600_000)
    await lookOnce()
    expect(paths()).toEqual(['/ann'])
  })

  test('is tried again after pauses that grow, and not once it has arrived', async () => {
    add('ann', webhookOf('/ann'))
    answers['/ann'] = { status: 503 }
    await lookOnce()
    await lookOnce()
    expect(paths()).toHaveLength(1)
    for (let round = 0; round < 12; round++) {
      await clock.advance(3_600_000 / 8)
      await lookOnce()
    }
    expect(paths()).toHaveLength(6)
    answers['/ann'] = { status: 200 }
    await clock.advance(3_600_000)
    await lookOnce()
    await clock.advance(3_600_000)
    await lookOnce()
    expect(paths()).toHaveLength(7)
    expect(new Set(emulator.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('to an endpoint that hangs delays no other person, nor another channel', async () => {
    add('ann', { ...webhookOf('/hangs'), slack: { webhook_url: `${emulator.url}/slack` } })
    add('kim', { ...webhookOf('/kim'), requests: 'all' }, ['admin'])
    answers['/hangs'] = 'never'
    const notifier = createNotifier(context)
    await notifier.look()
    await expect.poll(paths).toEqual(expect.arrayContaining(['/hangs', '/slack', '/kim']))
    await notifier.look()
    emulator.release()
    await notifier.end()
    expect(paths().toSorted()).toEqual(['/hangs', '/kim', '/slack'])
  })

  test('that was being sent when its node died is sent by another, recognizable as the same', async () => {
    add('ann', webhookOf('/ann'))
    answers['/ann'] = 'never'
    const dying = createNotifier(context)
    await dying.look()
    await expect.poll(paths).toHaveLength(1)
    await lookOnce()
    expect(paths()).toHaveLength(1)
    answers['/ann'] = { status: 200 }
    await clock.advance(61_000)
    await lookOnce()
    const ids = emulator.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([ids[0], ids[0]])
    emulator.release()
    await dying.end()
  })
})

describe('who hears of it', () => {
  test('the person who may decide; an approver of what the requester may not decide', async () => {
    add('ann', webhookOf('/ann'))
    add('kim', webhookOf('/kim'), ['admin'])
    add('bob', webhookOf('/bob'))
    await lookOnce()
    expect(paths()).toEqual(['/ann'])
    context = {
      ...context,
      approvals: async () => [
        { ...APPROVAL, id: 'appr_2', kind: 'admin', expiresAt: clock.now() + 1 } as Approval,
      ],
      mayDecide: (caller) => caller.roles.includes('admin'),
    }
    await lookOnce()
    expect(paths()).toEqual(['/ann', '/kim'])
  })

  test('nobody hears of what has expired', async () => {
    add('ann', webhookOf('/ann'))
    await clock.advance(90_000_000)
    await lookOnce()
    expect(paths()).toEqual([])
  })
})

describe('a push', () => {
  test('is encrypted as in the example of RFC 8291', () => {
    const secrets = {
      salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
      privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    }
    const keys = {
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const body = encryptPush('When I grow up, I want to be a watermelon', { keys }, secrets)
    expect(body.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  test('is read by the subscribed browser only, and proves which server sent it', async () => {
    const browser = subscribedBrowser()
    const device = { id: 'd1', name: 'Phone', endpoint: `${emulator.url}/push`, keys: browser.keys }
    add('ann', { devices: [device] })
    await lookOnce()
    const [sent] = emulator.received
    expect(browser.decrypt(sent?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Waiting for you',
      body: 'Buy tea for 12.99 EUR?',
      url: 'https://tools.example/approvals/appr_1',
      tag: expect.stringContaining('appr_1'),
    })
    expect(() => subscribedBrowser().decrypt(sent?.body ?? Buffer.alloc(0))).toThrow()
    expect(sent?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '90000' })
    expect(verifyVapid(String(sent?.headers.authorization))).toMatchObject({
      aud: emulator.url,
      sub: 'https://tools.example',
    })
  })

  test('to a subscription that has ended removes it', async () => {
    const { keys } = subscribedBrowser()
    answers['/push'] = { status: 410 }
    add('ann', { devices: [{ id: 'd1', name: 'Phone', endpoint: `${emulator.url}/push`, keys }] })
    await lookOnce()
    expect(gone).toEqual(['push'])
  })

  test('is signed by the same key after every start', () => {
    const again = derivePushKeys('an installation of thirty-two characters')
    expect(again.publicKey.equals(PUSH_KEYS.publicKey)).toBe(true)
    expect(again.publicKey).toHaveLength(65)
    const about = { endpoint: 'https://push.example/x', subject: 'https://t.example', nowMs: 0 }
    expect(verifyVapid(vapidAuthorization(again, about))).toMatchObject({ exp: 43_200 })
  })
})

/** The claims of a VAPID header whose signature fits the key that it names. */
function verifyVapid(header: string): unknown {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? []
  const [head, claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isSigned ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : 'forged'
}

test('a link decides for one person and one request, until it expires, and cannot be forged', () => {
  const links = createActionLinks(Buffer.alloc(32, 1))
  const link = links.write(APPROVAL, 'ann')
  expect(links.read(link, 0)).toEqual({
    tenant: 'acme',
    approval: 'appr_1',
    principal: 'ann',
    digest: 'd',
  })
  expect(links.read(link, APPROVAL.expiresAt)).toBeUndefined()
  const [text = '', signature = ''] = link.split('.')
  const other = createActionLinks(Buffer.alloc(32, 2)).write(APPROVAL, 'ann')
  for (const forged of [other, text, `${text}.`, `${text}x.${signature}`, '.', ''])
    expect(links.read(forged, 0)).toBeUndefined()
})
