import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fakeClock } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { type AdminStore, systemEntropy } from '@surehand/core/ports'
import { createEgress, type Egress } from '@surehand/egress'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { accountFetch } from './account-fetch.ts'
import { httpOverFetch, keyOf, rejectionOf, root, setCredential } from './testing/vault-world.ts'
import { createVault } from './vault.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let egress: Egress
let servers: Server[]
/** The requests to the API: method, path, number of the token, and body. */
let received: string[]
let answer: Answer
let renewal: { readonly status: number; readonly body: string }
let url: string

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', () => handle(request, response, Buffer.concat(chunks).toString()))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const tokenResponse = (number: number) =>
  JSON.stringify({
    access_token: `access-token-${number}`,
    refresh_token: 'refresh-0',
    expires_in: 3600,
  })

beforeEach(async () => {
  egress = createEgress()
  servers = []
  received = []
  renewal = { status: 200, body: tokenResponse(2) }
  url = await listen((request, response, body) => {
    const { status, body: tokens } = body.includes('authorization_code')
      ? { status: 200, body: tokenResponse(1) }
      : renewal
    if (request.url === '/token')
      return response.writeHead(status, { 'content-type': 'application/json' }).end(tokens)
    received.push(
      `${request.method} ${request.url} ${request.headers.authorization?.at(-1)} ${request.headers['x-a'] ?? '-'} ${body}`,
    )
    return answer(request, response)
  })
})
afterEach(async () => {
  await egress.close()
  for (const server of servers) server.closeAllConnections()
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
})

/** Opens an account whose first token the API rejects and whose second it accepts. */
async function openAccount(
  watched: (store: AdminStore) => AdminStore = (store) => store,
): Promise<typeof globalThis.fetch> {
  const clock = fakeClock()
  const store = watched(memoryStores({ clock }).admin)
  const vault = createVault({
    store,
    keys: [keyOf('a')],
    clock,
    entropy: systemEntropy(),
    http: httpOverFetch,
  })
  await setCredential(vault, 'calendar', {
    kind: 'authorizationCode',
    origins: [url],
    tokenUrl: `${url}/token`,
    authorizeUrl: 'https://accounts.example/authorize',
    clientId: 'client',
    clientSecret: 'client-secret',
    for: 'tenant',
  })
  const { state } = await vault.beginAuthorization(root, 'calendar', {
    redirectUri: 'https://app.example/back',
  })
  await vault.finishAuthorization(root, { state, code: 'a-code' })
  const allow = servers.map((server) => ({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
  }))
  return accountFetch(
    { egress, vault },
    { credential: 'calendar', tenant: root.tenant, principal: 'ann' },
    { tenant: root.tenant, allow },
  )
}

const isOld = ({ headers }: IncomingMessage) => headers.authorization === 'Bearer access-token-1'
const acceptsRenewedToken: Answer = (request, response) =>
  response.writeHead(isOld(request) ? 401 : 200).end('answered')

test.each<[string, () => Parameters<typeof globalThis.fetch>]>([
  [
    'as a URL and options',
    () => [`${url}/a`, { method: 'POST', headers: { 'x-a': '1' }, body: 'hello' }],
  ],
  [
    'as a `Request`',
    () => [new Request(`${url}/a`, { method: 'POST', headers: { 'x-a': '1' }, body: 'hello' })],
  ],
  [
    'as a `Request` and options',
    () => [new Request(`${url}/a`, { method: 'POST', body: 'hello' }), { headers: { 'x-a': '1' } }],
  ],
  [
    'with a streamed body',
    () => [
      new URL(`${url}/a`),
      {
        method: 'POST',
        headers: { 'x-a': '1' },
        body: new Blob(['hello']).stream(),
        duplex: 'half',
      } as RequestInit,
    ],
  ],
])(
  'a request given %s is sent complete, and sent complete again with the renewed token',
  async (_, given) => {
    answer = acceptsRenewedToken
    const send = await openAccount()
    expect(await (await send(...given())).text()).toBe('answered')
    expect(received).toEqual(['POST /a 1 1 hello', 'POST /a 2 1 hello'])
  },
)

test('a 401 after a redirect is returned unchanged, so that an effect before the redirect does not happen twice', async () => {
  const elsewhere = await listen((_, response) => response.writeHead(401).end('who are you'))
  answer = (_, response) => response.writeHead(303, { location: `${elsewhere}/result` }).end()
  renewal = { status: 400, body: '{"error":"invalid_grant"}' }
  const send = await openAccount()
  const got = await send(`${url}/a`, { method: 'POST', body: 'hello' })
  expect([got.status, await got.text(), got.url]).toEqual([
    401,
    'who are you',
    `${elsewhere}/result`,
  ])
  answer = (_, response) => response.end('fine')
  expect((await send(`${url}/b`)).status).toBe(200)
  expect(received).toEqual(['POST /a 1 - hello', 'GET /b 1 - '])
})

test('the provider’s answer is returned even if the store cannot record the rejection', async () => {
  let isDown = false
  answer = acceptsRenewedToken
  const send = await openAccount((store) => ({
    ...store,
    change: (change, entry) =>
      isDown ? Promise.reject(new Error('out of reach')) : store.change(change, entry),
  }))
  isDown = true
  const got = await send(`${url}/a`, { method: 'POST', body: 'hello' })
  expect([got.status, await got.text(), received.length]).toEqual([401, 'answered', 1])
})

test('a rejection with an endless body is closed before the token is renewed', async () => {
  const closed = vi.fn()
  answer = (_, response) => response.writeHead(401).on('close', closed).write('x'.repeat(200_000))
  renewal = { status: 400, body: '{"error":"invalid_grant"}' }
  const send = await openAccount()
  expect((await rejectionOf(send(`${url}/a`, { method: 'POST', body: 'hello' }))).code).toBe(
    'TOOL_GATE_CLOSED',
  )
  await expect.poll(() => closed.mock.calls.length).toBe(1)
})

test.each([
  ['JSON', { 'content-type': 'application/json' }],
  ['text without a content type', {}],
  ['an image in a text format', { 'content-type': 'image/svg+xml' }],
])('a token that the provider repeats in %s and in its headers is removed', async (_, type) => {
  answer = ({ headers: { authorization } }, response) =>
    response
      .writeHead(200, { ...type, 'x-echo': authorization, 'set-cookie': ['a=1', 'b=2'] })
      .end(`{"you sent":"${authorization}"}`)
  const got = await (await openAccount())(`${url}/a`)
  expect([got.headers.get('x-echo'), await got.text()]).toEqual([
    'Bearer [secret]',
    '{"you sent":"Bearer [secret]"}',
  ])
  expect([got.headers.getSetCookie(), got.url]).toEqual([['a=1', 'b=2'], `${url}/a`])
})

test('a binary body is streamed unchanged', async () => {
  const bytes = Buffer.from([0, 255, 128, 10])
  answer = (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).write(bytes)
  const got = await (await openAccount())(`${url}/a`)
  const reader = got.body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? [])).toEqual(bytes)
  await reader?.cancel()
})
