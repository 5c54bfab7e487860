import { fakeClock } from '@surehand/conformance'
import { type Caller, createRuntime, isToolError, memoryStores } from '@surehand/core'
import { systemEntropy } from '@surehand/core/ports'
import { createEgress } from '@surehand/egress'
import { type Emulator, startEmulator } from '@surehand/testing'
import { accountFetch, createCredentialsApi, createVault } from '@surehand/vault'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { routes } from '../emulators/google-calendar.ts'
import { googleTokenEndpoints } from '../emulators/google-token.ts'
import { chooseCalendar } from './choose-calendar.ts'

const root: Caller = {
  tenant: 'acme',
  principal: 'root',
  actor: 'user',
  roles: ['admin', 'user'],
  capabilities: [],
}
const QUERY = {
  principal: 'ann',
  calendarId: 'primary',
  fromMs: 0,
  toMs: 1,
  timeZone: 'UTC',
  shows: 'occurrences',
} as const
const CREDENTIAL = 'google.calendar'

let google: Emulator
let sent: string[]
beforeEach(async () => {
  google = await startEmulator({ routes: [...routes, ...googleTokenEndpoints] })
  sent = []
})
afterEach(() => google.stop())

/** An app whose tenants have their own accounts. */
function openApp(settings: Readonly<Record<string, string>> = {}) {
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  const http = async ({
    url,
    body,
    headers,
  }: {
    url: string
    body: string
    headers: Readonly<Record<string, string>>
  }) => {
    const answer = await fetch(url, { method: 'POST', body, headers })
    return { status: answer.status, body: await answer.text() }
  }
  const vault = createVault({
    store: stores.admin,
    keys: [new Uint8Array(32)],
    clock,
    entropy: systemEntropy(),
    http,
  })
  const api = createCredentialsApi({
    administration: createRuntime({ packs: [], stores, clock }).administration,
    vault,
  })
  const { hostname: host, port } = new URL(google.url)
  const egress = createEgress()
  const allow = [{ host, port: Number(port) }]
  const calendar = chooseCalendar({
    secret: (name) => (name === 'GOOGLE_CALENDAR_TOKEN' ? 'token-of-the-app' : undefined),
    setting: (name) =>
      ({
        GOOGLE_CALENDAR_URL: `${google.url}/calendar/v3`,
        GOOGLE_CALENDAR_CREDENTIAL: CREDENTIAL,
        ...settings,
      })[name],
    fetch: ({ tenant, account }) =>
      account === undefined
        ? async (_, init) => {
            sent.push(new Headers(init?.headers).get('authorization') ?? '')
            return Response.json({ items: [] })
          }
        : accountFetch({ egress, vault }, { ...account, tenant }, { tenant, allow }),
    values: stores.values,
    keepArtifact: async () => ({ url: 'https://app.example/x' }),
    now: clock.now,
  })
  const read = (tenant = 'acme') => calendar.read({ ...QUERY, tenant }, AbortSignal.timeout(60_000))
  return { vault, api, read, calendar, close: () => egress.close() }
}

const consent = () => ({
  kind: 'authorizationCode',
  origins: [google.url],
  tokenUrl: `${google.url}/token`,
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth?access_type=offline',
  clientId: 'client',
  clientSecret: 'client-secret',
  for: 'tenant',
})

async function authorize({ vault, api }: ReturnType<typeof openApp>): Promise<void> {
  await api.put(root, CREDENTIAL, consent())
  const { state } = await vault.beginAuthorization(root, CREDENTIAL, {
    redirectUri: 'https://app.example/back',
  })
  await vault.finishAuthorization(root, { state, code: 'a-code' })
}

test('an expired token is renewed once for all concurrent reads, and each of them succeeds', async () => {
  const app = openApp()
  await authorize(app)
  expect(await Promise.all(Array.from({ length: 5 }, () => app.read()))).toEqual([
    [],
    [],
    [],
    [],
    [],
  ])
  expect(google.effects()).toHaveLength(1)
  await app.read()
  expect(google.effects()).toHaveLength(1)
  await app.close()
})

test('an event is written once although the token had to be renewed first', async () => {
  const app = openApp()
  await authorize(app)
  const time = { kind: 'zoned', local: '2027-01-11T15:00:00', timeZone: 'UTC' } as const
  const writing = {
    ...QUERY,
    tenant: 'acme',
    entry: { summary: 'Tea', start: time, end: time },
    idempotencyKey: 'tea',
  }
  await app.calendar.write(writing, AbortSignal.timeout(60_000))
  expect(google.effects().map(({ effect }) => (effect as { kind: string }).kind)).toEqual([
    'renewed',
    'insert',
  ])
  await app.close()
})

const codeOf = (thrown: unknown) =>
  isToolError(thrown) ? [thrown.code, thrown.details?.source_code] : [String(thrown)]

test('a tenant without an account gets an error that names the credential, and the app’s account is not used', async () => {
  const app = openApp()
  await authorize(app)
  expect(await app.read('other').catch(codeOf)).toEqual([
    'TOOL_CONFIGURATION_ERROR',
    'credential_missing',
  ])
  expect(sent).toEqual([])
  await app.close()
})

test('with the fallback setting, a tenant without an account uses the app’s; one without consent does not', async () => {
  const app = openApp({ GOOGLE_CALENDAR_APP_ACCOUNT: 'fallback' })
  expect(await app.read('other')).toEqual([])
  expect(sent).toEqual(['Bearer token-of-the-app'])
  await app.api.put(root, CREDENTIAL, consent())
  expect(await app.read('acme').catch(codeOf)).toEqual(['TOOL_GATE_CLOSED', 'consent_required'])
  expect(sent).toHaveLength(1)
  await app.close()
})

test('a token that is refused and cannot be renewed is refused after one request', async () => {
  const app = openApp()
  await app.api.put(root, CREDENTIAL, {
    kind: 'bearer',
    origins: [google.url],
    token: 'expired',
  })
  expect(await app.read().catch(codeOf)).toEqual(['TOOL_API_KEY_INVALID', undefined])
  await app.close()
})
