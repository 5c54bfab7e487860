import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as Sdk1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Sdk1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createEmptyDatabase } from '@surehand/sql/testing/database'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Behind, startBehindNginx } from '../fixtures/outside-nodes.ts'

let behind: Behind
const trusted = getCACertificates()
beforeAll(async () => {
  const databaseUrl = await createEmptyDatabase(inject('postgres'))
  behind = await startBehindNginx(
    { nginx: inject('nginx'), openssl: inject('openssl') },
    databaseUrl,
  )
  setDefaultCACertificates([behind.ca])
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await behind.close()
})

type Answer = {
  readonly status: string
  readonly data: Record<string, unknown>
  readonly metadata: {
    readonly call_id: string
    readonly source: string
    readonly pending: { readonly approval_id: string; readonly url: string }
  }
}

function call(
  tool: string,
  input: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${behind.url}/v1/tools/${tool}/call`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${behind.tokens.agent}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(input),
  })
}

async function bearing<T>(response: Promise<Response>): Promise<T> {
  return (await (await response).json()) as T
}

test('a call is answered over TLS, without it one is sent there, and the metrics are not for everybody', async () => {
  expect(await bearing<Answer>(call('shop.price', { productId: 'tea' }))).toMatchObject({
    status: 'success',
    data: { amount: 1_299 },
  })
  const plain = await fetch(`${behind.plainUrl}/approvals`, { redirect: 'manual' })
  expect([plain.status, plain.headers.get('location')]).toEqual([
    308,
    expect.stringMatching(/^https:\/\/localhost:\d+\/approvals$/),
  ])
  expect((await fetch(`${behind.url}/metrics`)).status).toBe(404)
})

const about = { name: 'tests', version: '1.0.0' }

async function connectWithSdk2(mode: 'auto' | 'legacy', url: URL, requestInit: RequestInit) {
  const client = new Client(about, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  return client
}

async function connectWithSdk1(url: URL, requestInit: RequestInit) {
  const client = new Sdk1Client(about)
  // The transport's own type does not fit its client's under `exactOptionalPropertyTypes`.
  await client.connect(new Sdk1Transport(url, { requestInit }) as never)
  return client
}

// The requests of one client go to both nodes in turn.
test.each([
  ['2.x', connectWithSdk2.bind(undefined, 'auto')],
  ['2.x as a client of 2025', connectWithSdk2.bind(undefined, 'legacy')],
  ['1.x', connectWithSdk1],
])('the official MCP client %s lists the tools and calls one', async (_version, connect) => {
  const headers = { authorization: `Bearer ${behind.tokens.agent}` }
  const client = await connect(new URL(`${behind.url}/mcp`), { headers })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('shop__price')
  for (let round = 0; round < 4; round++) {
    const { content, isError } = await client.callTool({
      name: 'shop__price',
      arguments: { productId: 'tea' },
    })
    expect([isError ?? false, JSON.stringify(content)]).toEqual([
      false,
      expect.stringContaining('1299'),
    ])
  }
  await client.close()
})

/** A call that runs until it is released. */
function startHeld(headers: Record<string, string> = {}, folder = newFolder()) {
  return {
    folder,
    response: call('test.hold', { folder }, headers),
    release: () => writeFileSync(join(folder, 'go'), ''),
  }
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'surehand-held-'))

test('progress arrives when it is made, not when a buffer is full', async () => {
  const { response: answered, release } = startHeld({ accept: 'text/event-stream' })
  const response = await answered
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    // Without this line the call does not end: it is read while the call runs.
    if (text.includes('"held"')) release()
  }
  expect(text).toMatch(/"held"[\s\S]*event: envelope[\s\S]*"wasHeld":true/)
})

test('the decision page knows its origin, and what one node asked the other decides', async () => {
  const asked = await bearing<Answer>(
    call('shop.buy', { productId: 'tea', quantity: 2 }, { 'idempotency-key': 'over-nginx' }),
  )
  const { approval_id: id, url } = asked.metadata.pending
  expect(url).toBe(`${behind.url}/approvals/${id}`)
  const foreign = await form(
    '/sign-in',
    { token: behind.tokens.ann },
    { origin: 'https://evil.example' },
  )
  expect(foreign.status).toBe(403)
  const signedIn = await form('/sign-in', { token: behind.tokens.ann, next: `/approvals/${id}` })
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, `/approvals/${id}`])
  const setCookie = signedIn.headers.get('set-cookie') ?? ''
  expect(setCookie).toMatch(/^__Host-[^;]*;.*Secure/)
  const cookie = setCookie.split(';')[0] ?? ''
  const page = await (await fetch(url, { headers: { cookie } })).text()
  const fields = Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
      ([, name, value]) => [name, value],
    ),
  )
  const decided = await form(`/approvals/${id}`, { ...fields, verdict: 'approve' }, { cookie })
  expect(decided.status).toBe(303)
  const answer = await bearing<Answer>(
    fetch(`${behind.url}/v1/calls/${asked.metadata.call_id}`, {
      headers: { authorization: `Bearer ${behind.tokens.agent}`, prefer: 'wait=30' },
    }),
  )
  expect(answer).toMatchObject({ status: 'success', data: { productId: 'tea', quantity: 2 } })
})

function form(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(behind.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: behind.url, ...headers },
    redirect: 'manual',
  })
}

test("guessing tokens is throttled by the client's own address, whatever it claims; others are not", async () => {
  expect(await guessUntilThrottled(() => guess('127.0.0.2'))).toEqual([401, 429])
  const guessElsewhere = (round: number) => guess('127.0.0.2', `203.0.113.${round % 256}`)
  expect(await guessUntilThrottled(guessElsewhere)).toContain(429)
  expect(await Promise.all([guess('127.0.0.3'), guess('127.0.0.3')])).toEqual([401, 401])
})

/** The statuses of up to 400 guesses, twenty at a time: they are allowed again after a while. */
async function guessUntilThrottled(one: (round: number) => Promise<number>): Promise<number[]> {
  const statuses = new Set<number>()
  for (let sent = 0; sent < 400 && !statuses.has(429); sent += 20) {
    const batch = Array.from({ length: 20 }, (_, index) => one(sent + index))
    for (const status of await Promise.all(batch)) statuses.add(status)
  }
  return [...statuses].toSorted()
}

/** A request with a token that is none, from an address of this machine. */
function guess(localAddress: string, forwardedFor?: string): Promise<number> {
  const headers = {
    authorization: 'Bearer sh_guess',
    ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
  }
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(behind.url)
    const sent = request(
      {
        host: hostname,
        port,
        path: '/v1/tools',
        ca: behind.ca,
        localAddress,
        family: 4,
        headers,
        agent: false,
      },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      },
    )
    sent.once('error', reject).end()
  })
}

test('when a node is killed what it was sent is not sent again; the other answers, and knows what was done', async () => {
  const [first] = behind.nodes
  const folder = newFolder()
  const underWay = Array.from({ length: 8 }, () => startHeld({}, folder))
  await expect.poll(() => readdirSync(folder).length).toBe(underWay.length)
  await first?.kill('SIGKILL')
  underWay[0]?.release()
  const answers = await Promise.all(underWay.map(({ response }) => response))
  const statuses = answers.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 502]))
  for (let round = 0; round < 10; round++)
    expect((await call('shop.price', { productId: `after-${round}` })).status).toBe(200)
  const again = await bearing<Answer>(
    call('shop.buy', { productId: 'tea', quantity: 2 }, { 'idempotency-key': 'over-nginx' }),
  )
  expect(again).toMatchObject({
    status: 'success',
    data: { productId: 'tea' },
    metadata: { source: 'replayed' },
  })
})
