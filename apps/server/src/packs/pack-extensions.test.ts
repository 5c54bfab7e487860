import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePack, defineTool, type Pack } from '@surehand/core'
import type { PackRequest } from '@surehand/core/host'
import { systemCaller } from '@surehand/identity'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../config/read-config.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from '../serve/serve.ts'

let beats: string[] = []
const beat = defineTool({
  id: 'clinic.beat',
  description: 'Counts one period.',
  input: z.object({ by: z.string() }),
  output: z.null(),
  contract: { effect: 'writes.beat', reversible: true, idempotency: 'caller' },
  execute: async ({ input }) => {
    beats.push(input.by)
    return null
  },
})

async function describeRequest({ request, params, caller, services }: PackRequest) {
  return Response.json({
    body: [...new Uint8Array(await request.arrayBuffer())],
    params,
    caller: caller?.principal ?? null,
    publicUrl: services.publicUrl,
  })
}

const pack = definePack({
  name: 'clinic',
  tools: [beat],
  routes: [
    {
      method: 'POST',
      path: '/clinic/:tenant/webhook',
      auth: 'none',
      maxBytes: 64,
      handle: describeRequest,
    },
    { method: 'GET', path: '/clinic/mine', auth: 'token', handle: describeRequest },
    { method: 'GET', path: '/clinic/page', auth: 'person', handle: describeRequest },
    {
      method: 'GET',
      path: '/clinic/broken',
      auth: 'none',
      handle: () => Promise.reject(new Error('postgres://secret@db')),
    },
  ],
  schedules: [{ name: 'beat', every: '100ms', tool: 'clinic.beat', input: { by: 'schedule' } }],
})

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-ext-'))
  // Functions that were handed over last are called first: every server on it has stopped by then.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function start(packs: readonly Pack[], folder = makeFolder()) {
  const config = await readConfig({
    env: { SUREHAND_PORT: '0', SUREHAND_DATA: folder, SUREHAND_LOG_LEVEL: 'silent' },
    folder,
  })
  const server = await serve({ ...config, packs }, createLog(config))
  onTestFinished(() => server.stop())
  return { server, folder }
}

function send({ port }: RunningServer, path: string, init: RequestInit = {}) {
  return fetch(`http://127.0.0.1:${port}${path}`, init)
}

test('a webhook receives the bytes as they were sent, and no more than it allows', async () => {
  const { server } = await start([pack])
  const bytes = Uint8Array.of(0, 255, 13, 10, 123)
  const answer = await send(server, '/clinic/acme/webhook', { method: 'POST', body: bytes })
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      body: [...bytes],
      params: { tenant: 'acme' },
      caller: null,
      publicUrl: `http://127.0.0.1:${server.port}`,
    },
  ])
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  const large = { method: 'POST', body: 'x'.repeat(65) }
  expect((await send(server, '/clinic/acme/webhook', large)).status).toBe(413)
})

test('a route for tokens knows its caller, and a route for people asks others to sign in', async () => {
  const { server } = await start([pack])
  const { identityApi, config } = server.app
  const by = systemCaller(config.home)
  await identityApi.principals.put(by, 'ann', { roles: ['user'] })
  const { token } = await identityApi.tokens.create(by, { principal: 'ann', name: 'test' })
  const authorization = { headers: { authorization: `Bearer ${token}` } }
  expect(await (await send(server, '/clinic/mine', authorization)).json()).toMatchObject({
    caller: 'ann',
  })
  expect((await send(server, '/clinic/mine')).status).toBe(401)
  const page = await send(server, '/clinic/page')
  expect([page.status, await page.text()]).toEqual([
    401,
    expect.stringContaining('value="/clinic/page"'),
  ])
  const origin = `http://127.0.0.1:${server.port}`
  const signedIn = await send(server, '/sign-in', {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ token, next: '/clinic/page' }),
  })
  expect(signedIn.headers.get('location')).toBe('/clinic/page')
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const seen = await send(server, '/clinic/page', { headers: { cookie } })
  expect(await seen.json()).toMatchObject({ caller: 'ann' })
})

test('an exception in a route tells the client nothing about its cause', async () => {
  const { server } = await start([pack])
  const answer = await send(server, '/clinic/broken')
  expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('secret')])
})

test('two nodes call a scheduled tool once in each period', async () => {
  beats = []
  const { server, folder } = await start([pack])
  const { server: other } = await start([pack], folder)
  await expect.poll(() => beats.length).toBeGreaterThan(5)
  await other.stop()
  await server.app.runtime.stop()
  const calls = await server.app.stores.database.query(
    "select state from calls where key like 'schedule/clinic/beat/%'",
    [],
  )
  // A beat whose node stopped before it could record the answer has a call of another state.
  const done = calls.filter(({ state }) => state === 'succeeded')
  expect(beats.length).toBeGreaterThanOrEqual(done.length)
  expect(beats.length).toBeLessThanOrEqual(calls.length)
})

test('a route outside the name of its pack is refused when the pack is defined', () => {
  expect(() =>
    definePack({
      name: 'clinic',
      tools: [],
      routes: [{ method: 'GET', path: '/v1/tools', auth: 'none', handle: describeRequest }],
    }),
  ).toThrow('The route "/v1/tools" of pack "clinic" must begin with "/clinic/".')
})
