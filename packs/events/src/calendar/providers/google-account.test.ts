import { fakeClock } from '@surehand/conformance'
import { type Caller, createRuntime, isToolError, memoryStores } from '@surehand/core'
import { systemEntropy } from '@surehand/core/ports'
import { createEgress } from '@surehand/egress'
import { type Emulator, startEmulator } from '@surehand/testing'
import { accountFetch, createCredentialsApi, createVault } from '@surehand/vault'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { routes } from '../emulators/google-calendar.ts'
import { tokenRoutes } from '../emulators/google-token.ts'
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
  google = await startEmulator({ routes: [...routes, ...tokenRoutes] })
  sent = []
})
afterEach(() => google.stop())

/** A house whose tenants have accounts of their own. */
function openHouse(settings: Readonly<Record<string, string>> = {}) {
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
  const desk = createCredentialsApi({
    administration: createRuntime({ packs: [], stores, clock }).administration,
    vault,
  })
  const { hostname: host, port } = new URL(google.url)
  const egress = createEgress()
  const allow = [{ host, port: Number(port) }]
  const calendar = chooseCalendar({
    secret: (name) => (name === 'GOOGLE_CALENDAR_TOKEN' ? 'token-of-the-house' : undefined),
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
    keepArtifact: async () => ({ url: 'https://house.example/x' }),
    now: clock.now,
  })
  const read = (tenant = 'acme') => calendar.read({ ...QUERY, tenant }, AbortSignal.timeout(60_000))
  return { vault, desk, read, calendar, close: () => egress.close() }
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

async function agree({ vault, desk }: ReturnType<typeof openHouse>): Promise<void> {
  await desk.put(root, CREDENTIAL, consent())
  const { state } = await vault.beginAuthorization(root, CREDENTIAL, {
    redirectUri: 'https://house.example/back',
  })
  await vault.finishAuthorization(root, { state, code: 'a-code' })
}

test('a token that has run out is renewed once, for all who ask at the same moment, and each is answered', async () => {
  const house = openHouse()
  await agree(house)
  expect(await Promise.all(Array.from({ length: 5 }, () => house.read()))).toEqual([
    [],
    [],
    [],
    [],
    [],
  ])
  expect(google.effects()).toHaveLength(1)
  await house.read()
  expect(google.effects()).toHaveLength(1)
  await house.close()
})

test('an event is written once though the token had to be renewed on the way', async () => {
  const house = openHouse()
  await agree(house)
  const time = { kind: 'zoned', local: '2027-01-11T15:00:00', timeZone: 'UTC' } as const
  const writing = {
    ...QUERY,
    tenant: 'acme',
    entry: { summary: 'Tea', start: time, end: time },
    idempotencyKey: 'tea',
  }
  await house.calendar.write(writing, AbortSignal.timeout(60_000))
  expect(google.effects().map(({ effect }) => (effect as { kind: string }).kind)).toEqual([
    'renewed',
    'insert',
  ])
  await house.close()
})

const codeOf = (thrown: unknown) =>
  isToolError(thrown) ? [thrown.code, thrown.details?.source_code] : [String(thrown)]

test('a tenant without an account is told which credential is missing, and nothing of the house’s is used', async () => {
  const house = openHouse()
  await agree(house)
  expect(await house.read('other').catch(codeOf)).toEqual([
    'TOOL_CONFIGURATION_ERROR',
    'credential_missing',
  ])
  expect(sent).toEqual([])
  await house.close()
})

test('where the setting says so, a tenant without an account has the house’s; one whose consent is missing has not', async () => {
  const house = openHouse({ GOOGLE_CALENDAR_HOUSE_ACCOUNT: 'fallback' })
  expect(await house.read('other')).toEqual([])
  expect(sent).toEqual(['Bearer token-of-the-house'])
  await house.desk.put(root, CREDENTIAL, consent())
  expect(await house.read('acme').catch(codeOf)).toEqual(['TOOL_GATE_CLOSED', 'consent_required'])
  expect(sent).toHaveLength(1)
  await house.close()
})

test('a token that is refused and can not be renewed is refused, and asked with once', async () => {
  const house = openHouse()
  await house.desk.put(root, CREDENTIAL, {
    kind: 'bearer',
    origins: [google.url],
    token: 'expired',
  })
  expect(await house.read().catch(codeOf)).toEqual(['TOOL_API_KEY_INVALID', undefined])
  await house.close()
})
