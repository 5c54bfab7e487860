import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { type FakeClock, fakeClock } from '@surehand/conformance'
import { type Caller, createRuntime, memoryStores, type Stores, ToolError } from '@surehand/core'
import { toToolError } from '@surehand/core/internal'
import { type AdminStore, systemEntropy } from '@surehand/core/ports'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CredentialDesk, credentialDesk } from './credential-desk.ts'
import type { CredentialForm } from './credential-form.ts'
import type { Credentialed } from './place-secret.ts'
import { securedSend } from './secured-send.ts'
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

// fifty secrets, of all shapes that a form takes; nothing that is seen afterwards may have one of them in it, however written
const SHAPES = [
  (chance: string) => `canary-${chance}`,
  (chance: string) => `Canary ${chance} +/&%"\\<>`,
  (chance: string) => `${chance}=${chance}==`,
  (chance: string) => `canary.${chance.repeat(20)}.x`,
  (chance: string) => `c4-${chance.slice(0, 6)}`,
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
let desk: CredentialDesk
let seen: string[]

/** Every way in which something is looked at. */
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

/** A request must hold what it sends; it is printed as one that does. */
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

/** Its plain text, and what others may have made of it. */
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
    manners: 'echoing',
  })
  vault = createVault({
    store: stores.admin,
    keys: [keyOf('a')],
    clock,
    chance: systemEntropy(),
    http: httpOverFetch,
  })
  desk = credentialDesk({
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
  test('are found where they are looked for: the provider does repeat them', async () => {
    for (const canary of CANARIES) {
      const url = `${server.url}/api/echo?api_key=${encodeURIComponent(canary)}`
      seeAnswer(
        await exchangeOverFetch({
          request: { ...requestTo(url), headers: { 'x-api-key': canary } },
          credentialHeaders: [],
          credentialQuery: [],
        }),
      )
    }
    expect(visible()).toEqual(CANARIES)
  })

  test.each(ways)(
    'sent in a %s are in no answer that repeats them, in no list, no store and no audit',
    async (way) => {
      for (const [index, canary] of CANARIES.entries()) {
        const [id, need]: [string, SecurityNeed] = [
          `shop.c${index}`,
          { ...needs[way], scheme: `c${index}` },
        ]
        see(await desk.put(root, id, formFor(way, canary, [server.url])))
        const answer = await send({ vault, exchange: exchangeOverFetch })(
          requestTo(`${server.url}/api/echo`, [need]),
          callBy(ann),
          signal,
        )
        seeAnswer(answer)
        expect(Buffer.from(answer.body).toString()).toContain('[secret]')
      }
      see(await desk.list(root))
      see(await stores.admin.list('home', 'credential'))
      see(await stores.audit.list({ tenant: 'home', limit: 1_000 }))
      see(vault)
      expect(visible()).toEqual([])
    },
  )

  test('are in no exception of who sends them', async () => {
    for (const [index, canary] of CANARIES.entries()) {
      const way = ways[index % ways.length] ?? 'header'
      await desk.put(root, `shop.c${index}`, formFor(way, canary, [server.url]))
      const exchange = async (credentialed: Credentialed): Promise<SourceAnswer> => {
        seeLogged(credentialed)
        const told = JSON.stringify({ ...credentialed.request })
        throw Object.assign(new Error(`could not send ${told}`, { cause: new Error(told) }), {
          code: 'ECONNRESET',
          request: { ...credentialed.request },
        })
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

  test('are in no error of a token endpoint that repeats them, nor of one that can not be asked', async () => {
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
      chance: systemEntropy(),
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
      chance: systemEntropy(),
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
        await desk.put(root, `shop.c${index}`, {
          ...client,
          clientId: `client${index + 1}`,
          clientSecret: canary,
        }),
      )
      await seeEnd(vault.applySecurity(request, callBy(ann), { signal }))
      await seeEnd(blind.applySecurity(request, callBy(ann), { signal }))
      await seeEnd(forbidden.applySecurity(request, callBy(ann), { signal }))
      see(
        await desk.put(
          root,
          `shop.c${index}`,
          { ...client, clientId: `client${index}`, clientSecret: canary },
          1,
        ),
      )
      seeAnswer(await send({ vault, exchange: exchangeOverFetch })(request, callBy(ann), signal))
    }
    expect(server.asked().length).toBe(100)
    expect(visible()).toEqual([])
  })

  test('as tokens that a server grants are in no answer, no store and no error', async () => {
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
        chance: systemEntropy(),
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
    await desk.put(root, 'shop.oauth', web)
    for (let index = 0; index < tokens.length; index += 2) {
      const [by, owner]: [Vault, Caller] = [
        await granting(index),
        { ...ann, principal: `person${index}` },
      ]
      const { url } = await by.beginAuthorization(owner, 'shop.oauth', {
        redirectUri: 'https://house.example/',
      })
      await seeEnd(by.finishAuthorization(owner, await server.agree(url)))
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
        chance: systemEntropy(),
        http: httpOverFetch,
      })
      await seeEnd(
        shut.applySecurity(requestTo(server.url, [needs.oauth]), callBy(owner), { signal }),
      )
      await seeEnd(
        vault.applySecurity(requestTo(server.url, [needs.oauth]), callBy(owner), { signal }),
      )
    }
    see(await desk.list(root))
    see(await stores.admin.list('home', 'credential'))
    see(await stores.audit.list({ tenant: 'home', limit: 1_000 }))
    const all = seen.join('\n')
    expect(tokens.filter((token) => traces(token).some((trace) => all.includes(trace)))).toEqual([])
  })

  test('are in no refusal of the desk, whichever field they were put into', async () => {
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
      for (const form of odd) await seeEnd(desk.put(root, 'shop.key', form))
      await seeEnd(desk.put(ann, 'shop.key', good))
      await seeEnd(desk.put(root, 'shop.key', good, 7))
      await seeEnd(desk.put(root, '', good))
    }
    expect(await desk.list(root)).toEqual([])
    expect(visible()).toEqual([])
  })

  test('are taken out of any text of their house once they were opened, and only of theirs', async () => {
    for (const [index, canary] of CANARIES.entries()) {
      await desk.put(root, `shop.c${index}`, formFor('header', canary, [server.url]))
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
