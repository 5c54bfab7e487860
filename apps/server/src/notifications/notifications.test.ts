import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePack, defineTool } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { erasePrincipal } from '../commands/principals.ts'
import { readConfig } from '../config/read-config.ts'
import {
  type HttpEmulator,
  type MailEmulator,
  startHttpEmulator,
  startMailServer,
  subscribedBrowser,
} from '../fixtures/notification-emulators.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from '../serve/serve.ts'
import { signWebhook } from '../webhooks/deliver.ts'

let folder: string
let mail: MailEmulator
let web: HttpEmulator
let serving: RunningServer
let url: string
let tokens: { readonly ann: string; readonly agent: string }
const noted: string[] = []

const note = defineTool({
  id: 'notes.write',
  title: 'Write a note',
  description: 'Writes a note, which can be deleted again.',
  input: z.object({ text: z.string() }),
  output: z.object({}),
  contract: {
    effect: 'writes.note',
    reversible: true,
    idempotency: 'caller',
    approval: ({ text }) => `Write "${text}"?`,
  },
  execute: async ({ input }) => {
    noted.push(input.text)
    return {}
  },
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'surehand-notify-'))
  mail = await startMailServer()
  web = await startHttpEmulator((path) =>
    path === '/slack/chat.postMessage' ? { status: 200, text: '{"ok":true}' } : { status: 201 },
  )
  const config = await readConfig({
    env: {},
    folder,
    overrides: {
      demo: true,
      home: 'demo',
      port: 0,
      logLevel: 'silent',
      smtpUrl: mail.url,
      mailFrom: 'surehand@tools.example',
      slackToken: 'xoxb-secret',
      slackUrl: `${web.url}/slack`,
      privateHosts: [web.host],
    },
  })
  const packs = [definePack({ name: 'notes', tools: [note] })]
  serving = await serve({ ...config, packs }, createLog({ ...config, logLevel: 'silent' }))
  url = serving.addresses.publicUrl
  tokens = serving.welcome.demoTokens as typeof tokens
})
afterAll(async () => {
  await serving.stop()
  await Promise.all([mail.close(), web.close()])
  rmSync(folder, { recursive: true })
})

async function send(
  method: string,
  path: string,
  body: unknown,
  token = tokens.ann,
): Promise<{
  readonly status: number
  readonly data: Record<string, unknown>
  readonly metadata: Pending
}> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `${method} ${path} ${JSON.stringify(body)}`.slice(0, 200),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const envelope = (await response.json()) as { readonly data: never; readonly metadata: never }
  return { ...envelope, status: response.status }
}
type Pending = { readonly pending: { readonly approval_id: string } }

async function ask(tool: string, input: object): Promise<string> {
  const { metadata } = await send('POST', `/v1/tools/${tool}/call`, input, tokens.agent)
  return metadata.pending.approval_id
}

const receivedAt = (path: string): typeof web.received =>
  web.received.filter((received) => received.path === path)

/** The text of the mail about a request, once it has arrived. */
async function mailAbout(id: string): Promise<string> {
  // Long lines are folded, and "=" is encoded.
  const read = (): string | undefined =>
    mail.mails
      .map(({ text }) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='))
      .find((text) => text.includes(id))
  await expect.poll(read, { timeout: 30_000 }).toBeDefined()
  return read() ?? ''
}

test('a person hears of a waiting decision by e-mail, push, Slack and webhook, once each', async () => {
  const browser = subscribedBrowser()
  const set = await send('PUT', '/v1/notifications', {
    email: 'ann@example.com',
    slack: { user: 'U024BE7LH' },
    webhook_url: `${web.url}/hook`,
  })
  const secret = String(set.data.webhook_secret)
  await send('POST', '/v1/notifications/devices', {
    endpoint: `${web.url}/push`,
    keys: browser.keys,
    name: 'Phone',
  })
  const { data } = await send('GET', '/v1/notifications', undefined)
  expect(data).toEqual({
    email: 'ann@example.com',
    slack: 'U024BE7LH',
    webhook_url: `${web.url}/hook`,
    devices: [{ id: expect.any(String), name: 'Phone', service: web.host }],
    requests: 'mine',
    action_links: false,
  })

  const id = await ask('shop.buy', { productId: 'tea', quantity: 2 })
  const link = `${url}/approvals/${id}`
  const text = await mailAbout(id)
  for (const part of [
    'To: ann@example.com',
    'From: surehand@tools.example',
    'This cannot be undone.',
    "ann's agent",
    link,
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('/act/')
  const everywhere = (): readonly number[] =>
    ['/push', '/hook', '/slack/chat.postMessage'].map((path) => receivedAt(path).length)
  await expect.poll(everywhere, { timeout: 30_000 }).toEqual([1, 1, 1])

  const [push, hook, slack] = [
    receivedAt('/push')[0],
    receivedAt('/hook')[0],
    receivedAt('/slack/chat.postMessage')[0],
  ]
  expect(browser.decrypt(push?.body ?? Buffer.alloc(0))).toMatchObject({
    body: 'Buy 2 × tea for 25.98 EUR?',
    url: link,
  })
  const [webhookId, at] = ['webhook-id', 'webhook-timestamp'].map((name) =>
    String(hook?.headers[name]),
  )
  const body = hook?.body.toString() ?? ''
  expect(hook?.headers['webhook-signature']).toBe(
    signWebhook(secret, { id: webhookId ?? '', at: Number(at), body }),
  )
  expect(JSON.parse(body)).toMatchObject({
    type: 'approval.waiting',
    data: { approval_id: id, asks: 'Buy 2 × tea for 25.98 EUR?', url: link },
  })
  expect(slack?.headers.authorization).toBe('Bearer xoxb-secret')
  expect(JSON.parse(slack?.body.toString() ?? '')).toMatchObject({
    channel: 'U024BE7LH',
    blocks: [{ type: 'section' }, { elements: [{ type: 'button', url: link }] }],
  })

  // The next request is told of after the first in every queue, so nothing of the first is left.
  const next = await ask('shop.buy', { productId: 'cup', quantity: 1 })
  await mailAbout(next)
  await expect.poll(everywhere, { timeout: 30_000 }).toEqual([2, 2, 2])
  expect(mail.mails.filter((one) => one.text.includes('tea'))).toHaveLength(1)
})

describe('a link in a message', () => {
  async function linkFor(tool: string, input: object): Promise<{ id: string; link: string }> {
    await send('PUT', '/v1/notifications', { action_links: true })
    const id = await ask(tool, input)
    const text = await mailAbout(id)
    const [link = ''] = /http:\S+\/act\/\S+/.exec(text) ?? []
    return { id, link }
  }
  const post = (link: string, verdict: string, origin = url): Promise<Response> =>
    fetch(link, { method: 'POST', headers: { origin }, body: new URLSearchParams({ verdict }) })
  const stateOf = async (id: string): Promise<string> =>
    (await serving.app.runtime.approvals.get('demo', id)).state

  test('decides nothing when it is opened, and denies once, by a button of this server', async () => {
    const { id, link } = await linkFor('shop.buy', { productId: 'lamp', quantity: 1 })
    const page = await (await fetch(link)).text()
    expect(page).toContain('This link can only deny.')
    expect(page).not.toContain('Approve once')
    expect(await stateOf(id)).toBe('pending')
    expect((await post(link, 'deny', 'https://evil.example')).status).toBe(403)
    expect((await post(link, 'approve')).status).toBe(403)
    expect((await post(`${link}x`, 'deny')).status).toBe(404)
    expect(await stateOf(id)).toBe('pending')
    const denied = await post(link, 'deny')
    expect([denied.status, await stateOf(id)]).toEqual([200, 'denied'])
    expect(await denied.text()).toContain('Denied')
    expect((await post(link, 'deny')).status).toBe(409)
    const { decision } = await serving.app.runtime.approvals.get('demo', id)
    expect(decision).toMatchObject({ by: 'ann', credential: 'link' })
  })

  test('confirms what can be undone, and the call runs once', async () => {
    const { id, link } = await linkFor('notes.write', { text: 'milk' })
    expect(await (await fetch(link)).text()).toContain('Approve once')
    expect((await post(link, 'approve')).status).toBe(200)
    await expect.poll(() => noted).toEqual(['milk'])
    expect(await stateOf(id)).toBe('used')
  })
})

test('a delegate is notified of the request, and of no other', async () => {
  const { identityApi } = serving.app
  const by = systemCaller('demo')
  await identityApi.principals.put(by, 'kim', { roles: ['admin', 'user'] })
  const { token } = await identityApi.tokens.create(by, { principal: 'kim', name: 'test' })
  await send('PUT', '/v1/notifications', { webhook_url: `${web.url}/kim` }, token)
  const listMessages = (): readonly unknown[] =>
    receivedAt('/kim').map(({ body }) => JSON.parse(body.toString()).data.approval_id)
  const [own, delegated] = [
    await ask('notes.write', { text: 'stays with ann' }),
    await ask('notes.write', { text: 'goes to kim' }),
  ]
  // Ann may decide both herself, so that the approver is not asked.
  await mailAbout(own)
  await mailAbout(delegated)
  expect(listMessages()).toEqual([])
  const sent = await send('POST', `/v1/approvals/${delegated}/delegation`, { to: 'kim' })
  expect(sent.status).toBe(200)
  await expect.poll(listMessages).toEqual([delegated])
  const { data } = await send('GET', `/v1/approvals/${delegated}`, undefined, token)
  const decision = { verdict: 'deny', digest: data.digest }
  expect((await send('POST', `/v1/approvals/${delegated}/decision`, decision, token)).status).toBe(
    200,
  )
  expect(listMessages()).toEqual([delegated])
  await erasePrincipal(serving.app, systemCaller('demo'), 'kim')
})

test('a test message says what became of it on each channel; a refused mailbox is named', async () => {
  await send('PUT', '/v1/notifications', { email: 'full@example.com', webhook_url: null })
  const { data } = await send('POST', '/v1/notifications/test', {})
  expect(data.channels).toEqual([
    { channel: 'email', sent: false, trouble: 'The mail server answered 550.' },
    { channel: 'slack', sent: true },
    { channel: expect.stringMatching(/^push:/), sent: true },
  ])
})

test('an agent, or a token that may not decide, cannot change how its person is notified', async () => {
  const narrow = await serving.app.identityApi.tokens.create(systemCaller('demo'), {
    principal: 'ann',
    name: 'narrow',
    scopes: ['shop.buy'],
  })
  for (const token of [tokens.agent, narrow.token]) {
    const { status } = await send('PUT', '/v1/notifications', { email: null }, token)
    expect(status).toBe(403)
  }
})

test('wrong settings are refused by field, and secrets are not stored in plain text', async () => {
  const wrong = await send('PUT', '/v1/notifications', { email: 'not an address' })
  expect(wrong.status).toBe(400)
  await send('PUT', '/v1/notifications', { slack: { webhook_url: `${web.url}/T000/secret-path` } })
  const { stores } = serving.app
  const rows = JSON.stringify(await stores.database.query('select * from admin_items', []))
  expect(rows).not.toContain('secret-path')
  expect((await send('GET', '/v1/notifications', undefined)).data.slack).toBe(web.host)
  // A person with calls that wait is not erased yet.
  const { approvals } = serving.app.runtime
  const ann = {
    tenant: 'demo',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const
  for (const { id, digest } of await approvals.list('demo', 'pending'))
    await approvals.decide(ann, id, { verdict: 'deny', digest })
  await erasePrincipal(serving.app, systemCaller('demo'), 'ann')
  const left = await stores.database.query(
    "select value from admin_items where kind = 'notification' and value is not null",
    [],
  )
  expect(left).toEqual([])
})
