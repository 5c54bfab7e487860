import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePack, defineTool } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../config/read-config.ts'
import { type HttpEmulator, startHttpEmulator } from '../fixtures/notification-emulators.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from '../serve/serve.ts'

let folder: string
let web: HttpEmulator
let serving: RunningServer
let tokens: { readonly ann: string; readonly agent: string; root: string; globex: string }
let status = 204

const note = defineTool({
  id: 'notes.write',
  title: 'Write a note',
  description: 'Writes a note, which can be deleted again.',
  input: z.object({ text: z.string() }),
  output: z.object({}),
  contract: { effect: 'writes.note', reversible: true, idempotency: 'caller' },
  execute: async () => ({}),
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'surehand-webhooks-'))
  web = await startHttpEmulator(() => ({ status }))
  const config = await readConfig({
    env: {},
    folder,
    overrides: { demo: true, home: 'demo', port: 0, logLevel: 'silent', privateHosts: [web.host] },
  })
  const packs = [definePack({ name: 'notes', tools: [note] })]
  serving = await serve({ ...config, packs }, createLog({ ...config, logLevel: 'silent' }))
  const { identityApi } = serving.app
  const make = async (tenant: string): Promise<string> => {
    const by = systemCaller(tenant)
    await identityApi.principals.put(by, 'root', { roles: ['admin', 'user'] })
    return (await identityApi.tokens.create(by, { principal: 'root', name: 'test' })).token
  }
  await identityApi.tenants.put(systemCaller('demo'), 'globex', { name: 'Globex' })
  const demo = serving.welcome.demoTokens as { readonly ann: string; readonly agent: string }
  tokens = { ...demo, root: await make('demo'), globex: await make('globex') }
})
afterAll(async () => {
  await serving.stop()
  await web.close()
  rmSync(folder, { recursive: true })
})

type Sent = {
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}
type Delivered = {
  readonly id: string
  readonly status: string
  readonly tries: number
  readonly next_attempt_at: string | null
  readonly last_result: { readonly status: number | null; readonly trouble: string | null } | null
}

async function send(method: string, path: string, { body, token, headers }: Sent = {}) {
  const response = await fetch(serving.addresses.publicUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${token ?? tokens.root}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const envelope = (await response.json()) as {
    readonly data: Record<string, unknown>
    readonly error?: { readonly code: string; readonly message: string }
    readonly metadata: { readonly call_id?: string }
  }
  return { ...envelope, status: response.status }
}

const add = async (id: string): Promise<string> => {
  const added = await send('PUT', `/v1/webhooks/${id}`, { body: { url: `${web.url}/${id}` } })
  return String(added.data.secret)
}

let calls = 0
const callWith = (webhook: string) =>
  send('POST', '/v1/tools/notes.write/call', {
    body: { text: 'x' },
    headers: { 'idempotency-key': `webhook-${++calls}`, 'surehand-notify': webhook },
  })

const deliveries = async (id: string, query = ''): Promise<readonly Delivered[]> =>
  (await send('GET', `/v1/webhooks/${id}/deliveries${query}`)).data.items as readonly Delivered[]

describe('a webhook', () => {
  test('is added with a secret that is shown once, and told of a call that ended', async () => {
    const secret = await add('ops')
    expect(secret).toMatch(/^whsec_/)
    const listed = await send('GET', '/v1/webhooks')
    expect(listed.data.items).toEqual([
      { id: 'ops', version: 1, url: `${web.url}/ops`, is_enabled: true, problem: null },
    ])
    expect(JSON.stringify(listed)).not.toContain(secret)
    status = 204
    expect((await callWith('ops')).status).toBe(200)
    await expect
      .poll(() => deliveries('ops'))
      .toMatchObject([
        {
          status: 'delivered',
          tries: 1,
          next_attempt_at: null,
          last_result: { status: 204, trouble: null },
        },
      ])
  })

  test('that answers badly is tried again, and says when', async () => {
    await add('flaky')
    status = 503
    await callWith('flaky')
    await expect
      .poll(() => deliveries('flaky'))
      .toMatchObject([{ status: 'waiting', tries: 1, last_result: { status: 503 } }])
    const [waiting] = await deliveries('flaky')
    expect(Date.parse(waiting?.next_attempt_at ?? '')).toBeGreaterThan(Date.now())
    status = 410
    await callWith('flaky')
    await expect
      .poll(() => deliveries('flaky', '?limit=1'))
      .toMatchObject([{ status: 'abandoned', last_result: { status: 410 } }])
    const first = await send('GET', '/v1/webhooks/flaky/deliveries?limit=1')
    const rest = await deliveries('flaky', `?limit=1&cursor=${first.data.next_cursor}`)
    expect(rest.map(({ id }) => id)).toEqual([waiting?.id])
  })

  test('that is switched off is sent nothing until it is on again, except a test', async () => {
    const secret = await add('quiet')
    const off = await send('PUT', '/v1/webhooks/quiet', {
      body: { url: `${web.url}/quiet`, is_enabled: false },
      headers: { 'if-match': '"1"' },
    })
    expect(off.data).toEqual({
      ...{ id: 'quiet', version: 2, url: `${web.url}/quiet`, is_enabled: false, problem: null },
    })
    await callWith('quiet')
    await expect
      .poll(() => deliveries('quiet'))
      .toMatchObject([
        { status: 'waiting', last_result: { trouble: 'The webhook is switched off.' } },
      ])
    const listReceived = () => web.received.filter(({ path }) => path === '/quiet')
    expect(listReceived()).toEqual([])
    status = 200
    expect((await send('POST', '/v1/webhooks/quiet/test')).data).toEqual({
      ...{ sent: true, status: 200, trouble: null },
    })
    const [test] = listReceived()
    const {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': signature,
    } = test?.headers ?? {}
    expect(JSON.parse(String(test?.body))).toMatchObject({ type: 'test' })
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${at}.${test?.body}`).digest('base64')
    expect(signature).toBe(`v1,${mac}`)
    await send('PUT', '/v1/webhooks/quiet', {
      body: { url: `${web.url}/quiet` },
      headers: { 'if-match': '"2"' },
    })
    await expect
      .poll(() => deliveries('quiet'), { timeout: 30_000 })
      .toMatchObject([{ status: 'delivered', tries: 2 }])
  })

  test('gets a new secret, is changed by those who read it last, and is removed', async () => {
    const secret = await add('old')
    const body = { url: `${web.url}/new`, new_secret: true }
    expect((await send('PUT', '/v1/webhooks/old', { body })).status).toBe(409)
    const changed = await send('PUT', '/v1/webhooks/old', { body, headers: { 'if-match': '"1"' } })
    expect(changed.data).toMatchObject({ version: 2, secret: expect.stringMatching(/^whsec_/) })
    expect(changed.data.secret).not.toBe(secret)
    const stale = await send('DELETE', '/v1/webhooks/old', { headers: { 'if-match': '"1"' } })
    expect(stale.status).toBe(409)
    const removed = await send('DELETE', '/v1/webhooks/old', { headers: { 'if-match': '"2"' } })
    expect(removed.data).toEqual({ id: 'old', removed: true })
    expect((await send('POST', '/v1/webhooks/old/test')).status).toBe(404)
    expect((await callWith('old')).error?.message).toContain('does not exist')
  })

  test('that cannot be reached says why, and inside addresses are refused', async () => {
    await send('PUT', '/v1/webhooks/inside', { body: { url: 'http://127.0.0.1:9/hook' } })
    const { data } = await send('POST', '/v1/webhooks/inside/test')
    expect(data).toMatchObject({ sent: false, status: null, trouble: expect.any(String) })
    for (const url of ['ftp://hooks.example', 'javascript:alert(1)', ''])
      expect((await send('PUT', '/v1/webhooks/bad', { body: { url } })).status).toBe(400)
    const named = await send('PUT', '/v1/webhooks/a%20b', { body: { url: web.url } })
    expect(named.status).toBe(400)
  })

  test('is for administrators of its tenant only', async () => {
    await add('mine')
    const paths = [
      ['GET', '/v1/webhooks', undefined],
      ['PUT', '/v1/webhooks/mine', { url: web.url }],
      ['DELETE', '/v1/webhooks/mine', undefined],
      ['GET', '/v1/webhooks/mine/deliveries', undefined],
      ['POST', '/v1/webhooks/mine/test', undefined],
    ] as const
    for (const token of [tokens.ann, tokens.agent])
      for (const [method, path, body] of paths)
        expect([path, (await send(method, path, { token, body })).status]).toEqual([path, 403])
    const foreign = await send('GET', '/v1/webhooks', { token: tokens.globex })
    expect(foreign.data.items).toEqual([])
    for (const [method, path] of paths.slice(2))
      expect((await send(method, path, { token: tokens.globex })).status).toBe(404)
  })
})
