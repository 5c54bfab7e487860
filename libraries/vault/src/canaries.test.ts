import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { type FakeClock, fakeClock } from '@surehand/conformance'
import { type Caller, createRuntime, memoryStores, type Stores, ToolError } from '@surehand/core'
import { toToolError } from '@surehand/core/internal'
import { type AdminStore, systemEntropy } from '@surehand/core/ports'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { securedSend } from './account-fetch.ts'
import type { CredentialForm } from './credential-form.ts'
import { type CredentialsApi, createCredentialsApi } from './credentials-api.ts'
import type { CredentialedRequest } from './place-secret.ts'
import type { SecurityNeed, SourceAnswer } from './source-request.ts'
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from './testing/authorization-server.ts'
import {
  ann,
  callBy,
  exchangeOverFetch,
  httpOverFetch,
  keyOf,
  needs,
  requestTo,
  root,
} from './testing/vault-world.ts'
import { createVault, type Vault } from './vault.ts'

// Fifty secrets in all shapes that a form accepts. Nothing observed afterwards may contain one of
// them, in any encoding.
const SHAPES = [
  (random: string) => `canary-${random}`,
  (random: string) => `Canary ${random} +/&%"\\<>`,
  (random: string) => `${random}=${random}==`,
  (random: string) => `canary.${random.repeat(20)}.x`,
  (random: string) => `c4-${random.slice(0, 6)}`,
]
const CANARIES = Array.from(
  { length: 50 },
  (_, index) => SHAPES[index % SHAPES.length]?.(randomBytes(9).toString('hex')) ?? '',
)

const signal = new AbortController().signal
let clock: FakeClock
let stores: Stores
let server: AuthorizationServer
let vault: Vault
let api: CredentialsApi
let seen: string[]

/** Records a value in every way it could be printed. */
function see(thing: unknown): void {
  const printed = [
    inspect(thing, { depth: 30, showHidden: true }),
    inspect(thing, { depth: 30, customInspect: false, showHidden: true }),
    JSON.stringify(thing),
  ]
  seen.push(...printed, String(thing))
  if (thing instanceof Error)
    seen.push(
      thing.message,
      thing.stack ?? '',
      JSON.stringify(toToolError(thing)),
      inspect(thing.cause, { depth: 30 }),
    )
}

/** Records a request as a logger would print it. The object itself must hold its secrets. */
function seeLogged(request: object): void {
  seen.push(
    inspect(request, { depth: 30, showHidden: true }),
    inspect([{ request }], { depth: 30 }),
    JSON.stringify([{ request }]),
  )
}

async function seeEnd(work: Promise<unknown>): Promise<void> {
  see(await work.catch((thrown: unknown) => thrown))
}

function seeAnswer({ headers, body }: SourceAnswer): void {
  const text = Buffer.from(body).toString()
  see({ headers, text })
  seen.push(text)
  see(JSON.parse(text))
}

/** The secret as plain text and in the encodings that a provider may use. */
function traces(canary: string): readonly string[] {
  const bytes = Buffer.from(canary)
  return [
    canary,
    encodeURIComponent(canary),
    new URLSearchParams({ a: canary }).toString().slice(2),
    JSON.stringify(canary).slice(1, -1),
    JSON.stringify(JSON.stringify(canary)).slice(3, -3),
    bytes.toString('hex'),
    bytes.toString('base64').slice(0, Math.floor((bytes.length * 8) / 6)),
    bytes.toString('base64url').slice(0, Math.floor((bytes.length * 8) / 6)),
  ]
}

const visible = (): readonly string[] => {
  const all = seen.join('\n')
  return CANARIES.filter((canary) => traces(canary).some((trace) => all.includes(trace)))
}

beforeEach(async () => {
  seen = []
  clock = fakeClock()
  stores = memoryStores({ clock })
  const clients = CANARIES.map((secret, index) => ({
    id: `client${index}`,
    secret,
    auth: index % 2 === 0 ? ('basic' as const) : ('post' as const),
  }))
  server = await startAuthorizationServer({
    clients: [...clients, { id: 'web', auth: 'none' }],
    clock,
    errorStyle: 'echoing',
  })
  vault = createVault({
    store: stores.admin,
    keys: [keyOf('a')],
    clock,
    entropy: systemEntropy(),
    http: httpOverFetch,
  })
  api = createCredentialsApi({
    administration: createRuntime({ packs: [], stores, clock }).administration,
    vault,
  })
})
afterEach(() => server.stop())

const send = securedSend
const ways = ['header', 'query', 'bearer', 'basic'] as const

function formFor(way: (typeof ways)[number], canary: string, origins: string[]): CredentialForm {
  if (way === 'bearer') return { kind: 'bearer', origins, token: canary }
  if (way === 'basic') return { kind: 'basic', origins, username: 'ann', password: canary }
  return { kind: 'apiKey', origins, value: canary }
}

describe('fifty canaries', () => {
  test('are found without the vault, which shows that the provider does repeat them', async () => {
    for (const canary of CANARIES) {
      const url = `${server.url}/api/echo?api_key=${encodeURIComponent(canary)}`
      seeAnswer(
        await exchangeOverFetch({
          request: { ...requestTo(url), headers: { 'x-api-key': canary } },
          credentialHeaders: [],
          credentialQuery: [],
          credentialFields: [],
        }),
      )
    }
    expect(visible()).toEqual(CANARIES)
  })

  test.each(ways)(
    'sent in a %s appear in no response, list, store or audit record',
    async (way) => {
      for (const [index, canary] of CANARIES.entries()) {
        const [id, need]: [string, SecurityNeed] = [
          `shop.c${index}`,
          { ...needs[way], scheme: `c${index}` },
        ]
        see(await api.put(root, id, formFor(way, canary, [server.url])))
        const answer = await send({ vault, exchange: exchangeOverFetch })(
          requestTo(`${server.url}/api/echo`, [need]),
          callBy(ann),
          signal,
        )
        seeAnswer(answer)
        expect(Buffer.from(answer.body).toString()).toContain('[secret]')
      }
      see(await api.list(root))
      see(await stores.admin.list('home', 'credential'))
      see(await stores.audit.list({ tenant: 'home', limit: 1_000 }))
      see(vault)
      expect(visible()).toEqual([])
    },
  )

  test('appear in no exception of the function that sends them', async () => {
    for (const [index, canary] of CANARIES.entries()) {
      const way = ways[index % ways.length] ?? 'header'
      await api.put(root, `shop.c${index}`, formFor(way, canary, [server.url]))
      const exchange = async (credentialed: CredentialedRequest): Promise<SourceAnswer> => {
        seeLogged(credentialed)
        const serialized = JSON.stringify({ ...credentialed.request })
        throw Object.assign(
          new Error(`could not send ${serialized}`, { cause: new Error(serialized) }),
          {
            code: 'ECONNRESET',
            request: { ...credentialed.request },
          },
        )
      }
      await seeEnd(
        send({ vault, exchange })(
          requestTo(`${server.url}/x`, [{ ...needs[way], scheme: `c${index}` }]),
          callBy(ann),
          signal,
        ),
      )
    }
    expect(visible()).toEqual([])
  })

  test('appear in no error of a token endpoint that repeats them or cannot be reached', async () => {
    const shouting: Parameters<typeof createVault>[0]['http'] = async (request) => {
      seeLogged(request)
      throw Object.assign(new Error(JSON.stringify({ ...request }), { cause: { ...request } }), {
        code: 'ECONNRESET',
      })
    }
    const blind = createVault({
      store: stores.admin,
      keys: [keyOf('a')],
      clock,
      entropy: systemEntropy(),
      http: shouting,
    })
    const refusing: typeof shouting = async (request) => {
      throw new ToolError(
        'TOOL_INSUFFICIENT_PERMISSIONS',
        `Not ${request.body} ${request.headers.authorization}`,
        {
          suggestions: [request.body],
          cause: request,
        },
      )
    }
    const forbidden = createVault({
      store: stores.admin,
      keys: [keyOf('a')],
      clock,
      entropy: systemEntropy(),
      http: refusing,
    })
    for (const [index, canary] of CANARIES.entries()) {
      const client = {
        kind: 'clientCredentials',
        origins: [server.url],
        tokenUrl: `${server.url}/token`,
        auth: index % 2 === 0 ? 'basic' : 'post',
      } as const
      const request = requestTo(`${server.url}/api/echo`, [{ ...needs.oauth, scheme: `c${index}` }])
      see(
        await api.put(root, `shop.c${index}`, {
          ...client,
          clientId: `client${index + 1}`,
          clientSecret: canary,
        }),
      )
      await seeEnd(vault.applySecurity(request, callBy(ann), { signal }))
      await seeEnd(blind.applySecurity(request, callBy(ann), { signal }))
      await seeEnd(forbidden.applySecurity(request, callBy(ann), { signal }))
      see(
        await api.put(
          root,
          `shop.c${index}`,
          { ...client, clientId: `client${index}`, clientSecret: canary },
          1,
        ),
      )
      seeAnswer(await send({ vault, exchange: exchangeOverFetch })(request, callBy(ann), signal))
    }
    expect(server.requestedGrants().length).toBe(100)
    expect(visible()).toEqual([])
  })

  test('issued as tokens appear in no response, store or error', async () => {
    const tokens = CANARIES.map((canary) => canary.replaceAll(/[^\x21-\x7e]/g, '_'))
    const granting = async (index: number): Promise<Vault> => {
      const body = JSON.stringify({
        access_token: tokens[index],
        refresh_token: tokens[index + 1],
        token_type: 'Bearer',
        expires_in: 60,
      })
      return createVault({
        store: stores.admin,
        keys: [keyOf('a')],
        clock,
        entropy: systemEntropy(),
        http: async () => ({ status: 200, body }),
      })
    }
    const web = {
      kind: 'authorizationCode',
      origins: [server.url],
      authorizeUrl: `${server.url}/authorize`,
      tokenUrl: `${server.url}/token`,
      clientId: 'web',
      for: 'principal',
    }
    await api.put(root, 'shop.oauth', web)
    for (let index = 0; index < tokens.length; index += 2) {
      const [by, owner]: [Vault, Caller] = [
        await granting(index),
        { ...ann, principal: `person${index}` },
      ]
      const { url } = await by.beginAuthorization(owner, 'shop.oauth', {
        redirectUri: 'https://app.example/',
      })
      await seeEnd(by.finishAuthorization(owner, await server.consent(url)))
      seeAnswer(
        await send({ vault: by, exchange: exchangeOverFetch })(
          requestTo(`${server.url}/api/echo`, [needs.oauth]),
          callBy(owner),
          signal,
        ),
      )
      await clock.advance(60_000)
      const refusing: AdminStore = {
        ...stores.admin,
        change: () => Promise.reject(new Error('out of reach')),
      }
      const shut = createVault({
        store: refusing,
        keys: [keyOf('a')],
        clock,
        entropy: systemEntropy(),
        http: httpOverFetch,
      })
      await seeEnd(
        shut.applySecurity(requestTo(server.url, [needs.oauth]), callBy(owner), { signal }),
      )
      await seeEnd(
        vault.applySecurity(requestTo(server.url, [needs.oauth]), callBy(owner), { signal }),
      )
    }
    see(await api.list(root))
    see(await stores.admin.list('home', 'credential'))
    see(await stores.audit.list({ tenant: 'home', limit: 1_000 }))
    const all = seen.join('\n')
    expect(tokens.filter((token) => traces(token).some((trace) => all.includes(trace)))).toEqual([])
  })

  test('appear in no error of the credentials API, whichever field they were put into', async () => {
    for (const canary of CANARIES) {
      const good = { kind: 'apiKey', origins: [server.url], value: canary }
      const odd = [
        { ...good, kind: canary },
        { ...good, origins: [canary] },
        { ...good, origins: canary },
        { ...good, value: `${canary}\n` },
        { ...good, [canary]: 1 },
        {
          kind: 'basic',
          origins: [`https://${encodeURIComponent(canary)}@x.example`],
          username: `${canary}:`,
          password: '\n',
        },
        {
          kind: 'clientCredentials',
          origins: [server.url],
          tokenUrl: `http://x.example/${canary}`,
          clientId: '',
          clientSecret: canary,
          auth: canary,
        },
        canary,
      ]
      for (const form of odd) await seeEnd(api.put(root, 'shop.key', form))
      await seeEnd(api.put(ann, 'shop.key', good))
      await seeEnd(api.put(root, 'shop.key', good, 7))
      await seeEnd(api.put(root, '', good))
    }
    expect(await api.list(root)).toEqual([])
    expect(visible()).toEqual([])
  })

  test('are removed from every text of their tenant after they were decrypted, and not from texts of other tenants', async () => {
    for (const [index, canary] of CANARIES.entries()) {
      await api.put(root, `shop.c${index}`, formFor('header', canary, [server.url]))
      await vault.applySecurity(
        requestTo(server.url, [{ ...needs.header, scheme: `c${index}` }]),
        callBy(ann),
        { signal },
      )
    }
    seen = CANARIES.flatMap(traces).map((text) => vault.scrubber('home').text(`so ${text} it is`))
    expect(visible()).toEqual([])
    expect(vault.scrubber('other').text(CANARIES.join())).toBe(CANARIES.join())
  })
})
