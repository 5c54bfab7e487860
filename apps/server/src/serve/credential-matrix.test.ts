import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCaller } from '@surehand/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import { type Client, createClient, type Presented } from '../fixtures/credentials/client.ts'
import { type Issuer, startIssuer } from '../fixtures/credentials/issuer.ts'
import { shopPack, shopProviders } from '../fixtures/credentials/shop-pack.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from './serve.ts'

// Every kind of credential × every narrowing × every route, against one sentence about each route.
// `boss` is an administrator; `careful` is one who delegates nothing to agents; `gone` is disabled.

type Narrowing = {
  readonly principal: string
  readonly scopes?: readonly string[]
  readonly agent?: true
}
const NARROWINGS = {
  'not narrowed': { principal: 'boss' },
  'scope *': { principal: 'boss', scopes: ['*'] },
  'scope shop.read': { principal: 'boss', scopes: ['shop.read'] },
  'scope shop.buy': { principal: 'boss', scopes: ['shop.buy'] },
  'scope shop.*': { principal: 'boss', scopes: ['shop.*'] },
  'scope approvals.decide': { principal: 'boss', scopes: ['approvals.decide'] },
  'empty scope': { principal: 'boss', scopes: [] },
  agent: { principal: 'boss', agent: true },
  'agent, scope shop.read': { principal: 'boss', agent: true, scopes: ['shop.read'] },
  'agent, nothing delegated': { principal: 'careful', agent: true },
  'person who delegates nothing': { principal: 'careful' },
  disabled: { principal: 'gone' },
} satisfies Readonly<Record<string, Narrowing>>

const ROLES = ['admin', 'user']
const KINDS = ['own token', 'issuer token'] as const
const PAGES = ['page by own token', 'page by issuer token', 'page by link'] as const
type Kind = (typeof KINDS)[number] | (typeof PAGES)[number]

let server: RunningServer
let issuer: Issuer
let client: Client
let owners: Readonly<Record<string, Presented>>
let makeToken: (form: object) => Promise<string>

beforeAll(async () => {
  issuer = await startIssuer()
  const env = {
    SUREHAND_PORT: '0',
    SUREHAND_LOG_LEVEL: 'silent',
    SUREHAND_TRUSTED_PROXIES: '1',
    SUREHAND_JWT: issuer.setting,
  }
  const folder = mkdtempSync(join(tmpdir(), 'surehand-matrix-'))
  const config = {
    ...(await readConfig({ env, folder })),
    packs: [shopPack],
    providers: shopProviders,
  }
  // People and their tokens are entered by the operator of the data folder.
  const app = await createApp(config)
  const by = systemCaller('home')
  const put = (id: string, record: object): Promise<unknown> =>
    app.identityApi.principals.put(by, id, record)
  await put('boss', { roles: ROLES })
  await put('careful', { roles: ROLES, delegated: [] })
  await put('gone', { roles: ROLES })
  await put('ann', { roles: ['user'] })
  const create = async (form: object): Promise<string> =>
    (await app.identityApi.tokens.create(by, { name: 'test', ...form })).token
  const tokens = {
    boss: await create({ principal: 'boss' }),
    careful: await create({ principal: 'careful' }),
    ann: await create({ principal: 'ann' }),
  }
  const narrowed = new Map<string, string>()
  for (const { principal, scopes, agent } of Object.values<Narrowing>(NARROWINGS)) {
    const form = tokenForm({ principal, ...(scopes && { scopes }), ...(agent && { agent }) })
    narrowed.set(JSON.stringify(form), await create(form))
  }
  const [{ version } = { version: 0 }] = (await app.identityApi.principals.list(by)).filter(
    ({ id }) => id === 'gone',
  )
  await app.identityApi.principals.put(by, 'gone', { roles: ROLES, disabled: true }, version)
  await app.close()
  server = await serve(config, createLog(config))
  client = createClient(server.addresses.publicUrl)
  owners = Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => [name, client.bearer(token)]),
  )
  makeToken = async (form) => narrowed.get(JSON.stringify(form)) ?? 'no such token'
})

afterAll(async () => {
  await server.stop()
  issuer.close()
})

function tokenForm({ principal, scopes, agent }: Narrowing): object {
  return {
    principal,
    ...(agent === true ? { actor: 'ai_agent' } : {}),
    ...(scopes === undefined ? {} : { scopes }),
  }
}

async function present(kind: Kind, narrowing: Narrowing): Promise<Presented | undefined> {
  const { principal, scopes, agent } = narrowing
  const own = () => makeToken(tokenForm(narrowing))
  const issued = () =>
    issuer.sign({
      sub: principal,
      roles: ROLES,
      ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
      ...(agent === true ? { act: { sub: 'bot' } } : {}),
    })
  switch (kind) {
    case 'own token':
      return client.bearer(await own())
    case 'issuer token':
      return client.bearer(await issued())
    case 'page by own token':
      return client.signIn(await own())
    case 'page by issuer token':
      return client.signIn(await issued())
    case 'page by link': {
      const made = await client.send(owners.boss as Presented, 'POST', '/v1/links', { principal })
      return client.signInByLink(((await made.json()) as { data: { url: string } }).data.url)
    }
  }
}

// The sentences that decide what is right, written without the code under test.
const isPerson = ({ agent, principal }: Narrowing): boolean =>
  agent !== true && principal !== 'gone'
const isWhole = ({ scopes }: Narrowing): boolean => scopes === undefined || scopes.includes('*')
const administers = (who: Narrowing): boolean => isPerson(who) && isWhole(who)
const names = ({ scopes }: Narrowing, capability: string): boolean =>
  scopes?.some((scope) => scope === capability || scope === 'shop.*') === true
const reaches = (who: Narrowing, capability: string): boolean =>
  who.principal !== 'gone' &&
  !(who.agent === true && who.principal === 'careful') &&
  (isWhole(who) || names(who, capability))
const decidesOwn = (who: Narrowing): boolean =>
  isPerson(who) &&
  (isWhole(who) || names(who, 'shop.buy') || who.scopes?.includes('approvals.decide') === true)
const seesOwn = (who: Narrowing): boolean => reaches(who, 'shop.buy') || decidesOwn(who)

type Route = {
  readonly allowed: (who: Narrowing) => boolean
  readonly request: (presented: Presented, who: Narrowing) => Promise<Response | boolean>
}

function adminRoute(method: string, path: string, body?: (serial: number) => unknown): Route {
  return {
    allowed: administers,
    request: (presented) => client.send(presented, method, path, body?.(serial++)),
  }
}
let serial = 0

type Asked = { readonly id: string; readonly digest: string; readonly callId: string }

/** A fresh approval request of this principal, for `shop.buy`. */
async function ask(principal: string): Promise<Asked> {
  // A disabled person has no requests; what they could reach is the request of another.
  const owner = owners[principal] ?? (owners.boss as Presented)
  const input = { number: serial++ }
  const response = await client.send(owner, 'POST', '/v1/tools/shop.buy/call', input)
  const { metadata } = (await response.json()) as {
    metadata: { call_id: string; pending: { approval_id: string } }
  }
  const id = metadata.pending.approval_id
  const shown = await client.send(owner, 'GET', `/v1/approvals/${id}`)
  const { data } = (await shown.json()) as { data: { digest: string } }
  return { id, digest: data.digest, callId: metadata.call_id }
}

async function deny(presented: Presented, principal: string): Promise<Response> {
  const { id, digest } = await ask(principal)
  return client.send(presented, 'POST', `/v1/approvals/${id}/decision`, { verdict: 'deny', digest })
}

async function mcpText(presented: Presented, method: string, params?: object): Promise<string> {
  const response = await client.mcp(presented, method, params)
  return response.ok ? await response.text() : ''
}

const ROUTES: Readonly<Record<string, Route>> = {
  'GET /v1/audit': adminRoute('GET', '/v1/audit'),
  'GET /v1/audit/export': adminRoute('GET', '/v1/audit/export'),
  'POST /v1/audit/verify': adminRoute('POST', '/v1/audit/verify', () => ({})),
  'GET /v1/tenants': adminRoute('GET', '/v1/tenants'),
  'GET /v1/principals': adminRoute('GET', '/v1/principals'),
  'GET /v1/tokens': adminRoute('GET', '/v1/tokens'),
  'GET /v1/policy': adminRoute('GET', '/v1/policy'),
  'POST /v1/what-if': adminRoute('POST', '/v1/what-if', () => ({})),
  'GET the figures of a tool': adminRoute('GET', '/v1/tools/shop.buy/figures'),
  'GET the trace of a call': adminRoute('GET', '/v1/calls/call_1/trace'),
  'GET /v1/programs': adminRoute('GET', '/v1/programs'),
  'GET /v1/figures': adminRoute('GET', '/v1/figures'),
  'GET /v1/imports': adminRoute('GET', '/v1/imports'),
  'GET /v1/credentials': adminRoute('GET', '/v1/credentials'),
  'PUT /v1/principals': {
    allowed: administers,
    request: (presented) =>
      client.send(presented, 'PUT', `/v1/principals/new-${serial++}`, { roles: ROLES }),
  },
  'POST /v1/tokens': adminRoute('POST', '/v1/tokens', () => ({ principal: 'boss', name: 'new' })),
  'POST /v1/links': adminRoute('POST', '/v1/links', (n) => ({ principal: `linked-${n}` })),
  'call shop.orders': {
    allowed: (who) => reaches(who, 'shop.read'),
    request: (presented) => client.send(presented, 'POST', '/v1/tools/shop.orders/call', {}),
  },
  'call shop.buy': {
    allowed: (who) => reaches(who, 'shop.buy'),
    request: (presented) =>
      client.send(presented, 'POST', '/v1/tools/shop.buy/call', { number: serial++ }),
  },
  'read own approval': {
    allowed: seesOwn,
    request: async (presented, { principal }) =>
      client.send(presented, 'GET', `/v1/approvals/${(await ask(principal)).id}`),
  },
  'list own approvals': {
    allowed: seesOwn,
    async request(presented, { principal }) {
      const { id } = await ask(principal)
      return (await (await client.send(presented, 'GET', '/v1/approvals')).text()).includes(id)
    },
  },
  'decide own approval': {
    allowed: decidesOwn,
    request: (presented, { principal }) => deny(presented, principal),
  },
  "decide another's approval": {
    allowed: administers,
    request: (presented) => deny(presented, 'ann'),
  },
  'read own call': {
    allowed: (who) => reaches(who, 'shop.buy'),
    request: async (presented, { principal }) =>
      client.send(presented, 'GET', `/v1/calls/${(await ask(principal)).callId}`),
  },
  'cancel own call': {
    allowed: (who) => reaches(who, 'shop.buy'),
    request: async (presented, { principal }) =>
      client.send(presented, 'DELETE', `/v1/calls/${(await ask(principal)).callId}`),
  },
  'MCP reads the audit head': {
    allowed: administers,
    request: async (presented) =>
      (await mcpText(presented, 'resources/list')).includes('audit-head'),
  },
  'MCP lists shop.buy': {
    allowed: (who) => reaches(who, 'shop.buy'),
    request: async (presented) => /"shop__buy"/.test(await mcpText(presented, 'tools/list')),
  },
  'MCP calls shop.orders': {
    allowed: (who) => reaches(who, 'shop.read'),
    request: async (presented) => {
      const params = { name: 'shop__orders', arguments: {} }
      const text = await mcpText(presented, 'tools/call', params)
      return text !== '' && !text.includes('"isError":true') && !text.includes('"error"')
    },
  },
}

const PAGE_ROUTES: Readonly<Record<string, Route>> = {
  'list what waits': {
    allowed: isPerson,
    request: (presented) => client.send(presented, 'GET', '/approvals'),
  },
  'show own approval': {
    allowed: (who) => isPerson(who) && seesOwn(who),
    request: async (presented, { principal }) =>
      client.send(presented, 'GET', `/approvals/${(await ask(principal)).id}`),
  },
  'decide own approval': {
    allowed: decidesOwn,
    request: (presented, { principal }) => decideOnPage(presented, principal),
  },
  "decide another's approval": {
    allowed: administers,
    request: (presented) => decideOnPage(presented, 'ann'),
  },
}

async function decideOnPage(presented: Presented, principal: string): Promise<Response> {
  const { id, digest } = await ask(principal)
  const shown = await (await client.send(presented, 'GET', `/approvals/${id}`)).text()
  const seal = /name="seal" value="([^"]+)"/.exec(shown)?.[1] ?? 'none'
  return client.submit(presented, `/approvals/${id}`, { verdict: 'deny', digest, seal })
}

const REFUSED = new Set([401, 403, 404])

async function verdict(route: Route, presented: Presented | undefined, who: Narrowing) {
  if (presented === undefined) return false
  const found = await route.request(presented, who)
  if (typeof found === 'boolean') return found
  await found.body?.cancel()
  if (found.status < 400) return true
  expect(REFUSED, `status ${found.status}`).toContain(found.status)
  return false
}

async function fillTable(kinds: readonly Kind[], routes: typeof ROUTES) {
  const table = { cells: 0, wrong: [] as string[] }
  for (const kind of kinds)
    for (const [name, who] of Object.entries<Narrowing>(NARROWINGS)) {
      // A link has no scope, and agents get none.
      if (kind === 'page by link' && (who.agent === true || who.scopes !== undefined)) continue
      const presented = await present(kind, who)
      for (const [path, route] of Object.entries(routes)) {
        table.cells++
        const isAllowed = await verdict(route, presented, who)
        if (isAllowed !== route.allowed(who))
          table.wrong.push(`${kind} | ${name} | ${path}: ${isAllowed ? 'allowed' : 'refused'}`)
      }
    }
  return table
}

test('no bearer token does more than its narrowing allows, on any route', async () => {
  expect(await fillTable(KINDS, ROUTES)).toEqual({ cells: 672, wrong: [] })
})

test('no session of a page does more than the credential that opened it', async () => {
  expect(await fillTable(PAGES, PAGE_ROUTES)).toEqual({ cells: 108, wrong: [] })
})

test.each(PAGES)('the session of a %s is not a bearer token', async (kind) => {
  const presented = (await present(kind, NARROWINGS['not narrowed'])) as Presented
  expect((await client.send(presented, 'GET', '/approvals')).status).toBe(200)
  expect((await client.send(presented, 'GET', '/v1/audit')).status).toBe(401)
  expect((await client.mcp(presented, 'tools/list')).status).toBe(401)
})
