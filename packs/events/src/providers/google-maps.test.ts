import { type Tool, ToolError } from '@surehand/core'
import { googlePlaces, googleRoutes, googleTimeZones } from '@surehand/places'
import { routes as googlePlacesEndpoints } from '@surehand/places/emulators/google-places'
import { routes as googleRoutesEndpoints } from '@surehand/places/emulators/google-routes'
import { routes as googleTimeZoneEndpoints } from '@surehand/places/emulators/google-time-zone'
import { type Emulator, type EmulatorRoute, type FaultForm, startEmulator } from '@surehand/testing'
import type { VendorAccess } from '@surehand/vendors'
import { afterEach, describe, expect, test } from 'vitest'
import { directionsEstimate } from '../directions/directions-estimate.ts'
import { ANN, openRuntime } from '../fixtures/local-world.ts'
import { placesResolve } from '../places/places-resolve.ts'
import { timezoneResolve } from '../timezone/timezone-resolve.ts'

type VendorCase = {
  readonly tool: Tool
  readonly routes: readonly EmulatorRoute[]
  readonly port: string
  readonly provider: (access: VendorAccess) => object
  readonly input: unknown
  readonly answer: unknown
  readonly fallback: unknown
}

const SF = { lat: 37.7749, lng: -122.4194 }
const PARK = { lat: 37.7694, lng: -122.4862 }

const CASES: readonly VendorCase[] = [
  {
    tool: placesResolve,
    routes: googlePlacesEndpoints,
    port: 'places',
    provider: googlePlaces,
    input: { query: 'Golden Gate Park', regionCode: 'US' },
    answer: {
      placeId: 'ChIJY_dFYHKHhYARMKc772iLvnE',
      formattedAddress: 'San Francisco, CA, USA',
      location: PARK,
      name: 'Golden Gate Park',
      precision: 'place',
      provider: 'google',
    },
    fallback: null,
  },
  {
    tool: timezoneResolve,
    routes: googleTimeZoneEndpoints,
    port: 'timeZones',
    provider: googleTimeZones,
    input: { location: SF, timestamp: '2026-07-01T12:00:00Z' },
    answer: { timeZoneId: 'America/Los_Angeles', offsetSeconds: -25_200 },
    fallback: { timeZoneId: 'Europe/Berlin', offsetSeconds: 7_200 },
  },
  {
    tool: directionsEstimate,
    routes: googleRoutesEndpoints,
    port: 'directions',
    provider: googleRoutes,
    input: { origin: SF, destination: PARK },
    answer: {
      durationSeconds: 402,
      distanceMeters: 7_440,
      travelBufferMinutes: 12,
      estimated: false,
      provider: 'google',
    },
    fallback: {
      durationSeconds: 900,
      distanceMeters: 5_903,
      travelBufferMinutes: 15,
      estimated: true,
    },
  },
]

let emulator: Emulator | undefined
afterEach(() => emulator?.stop())

async function open({ tool, routes, port, provider }: VendorCase) {
  emulator = await startEmulator({ routes })
  const runtime = openRuntime([tool], {
    [port]: provider({ baseUrl: emulator.url, key: 'k-1', fetchFor: () => fetch }),
  })
  return {
    emulator,
    call: (input: unknown) => runtime.call({ tool: tool.id, input, caller: ANN, surface: 'test' }),
  }
}

describe.each(CASES)('$tool.id over Google', (live) => {
  test('translates the request and the response', async () => {
    const { call } = await open(live)
    expect(await call(live.input)).toMatchObject({
      status: 'done',
      source: 'executed',
      data: live.answer,
    })
  })

  test.each<[string, FaultForm]>([
    ['a status 500', { kind: '500' }],
    ['a closed connection', { kind: 'reset' }],
    ['a truncated answer', { kind: 'malformed' }],
  ])('recovers from %s', async (_, fault) => {
    const { emulator, call } = await open(live)
    emulator.fail(fault)
    expect(await call(live.input)).toMatchObject({
      status: 'done',
      source: 'executed',
      data: live.answer,
    })
  })

  test.each([400, 403, 404, 410])(
    'that is refused with %i falls back, and is marked as degraded',
    async (status) => {
      const fetchFor = () => async () => Response.json({ error: { message: 'No.' } }, { status })
      const runtime = openRuntime([live.tool], {
        [live.port]: live.provider({ baseUrl: 'https://vendor.example', key: 'k-1', fetchFor }),
      })
      const answer = await runtime.call({
        tool: live.tool.id,
        input: live.input,
        caller: ANN,
        surface: 'test',
      })
      expect(answer).toMatchObject({
        status: 'done',
        source: 'fallback',
        degraded: true,
        data: live.fallback,
      })
    },
  )

  test('that egress refuses stays refused', async () => {
    const fetchFor = () => async () => {
      throw new ToolError('TOOL_RESOURCE_ACCESS_DENIED', 'A private address.')
    }
    const runtime = openRuntime([live.tool], {
      [live.port]: live.provider({ baseUrl: 'https://vendor.example', key: 'k-1', fetchFor }),
    })
    const answer = await runtime.call({
      tool: live.tool.id,
      input: live.input,
      caller: ANN,
      surface: 'test',
    })
    expect(answer).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_RESOURCE_ACCESS_DENIED' },
    })
  })

  test.each<[string, FaultForm]>([
    ['fails', { kind: '500' }],
    ['truncates its answers', { kind: 'malformed' }],
  ])('that %s every time falls back, and is marked as degraded', async (_, fault) => {
    const { emulator, call } = await open(live)
    emulator.fail(fault, { times: 20 })
    expect(await call(live.input)).toMatchObject({
      status: 'done',
      source: 'fallback',
      degraded: true,
      data: live.fallback,
    })
  })
})

test.each([
  ['time zone', CASES[1], { status: 'ZERO_RESULTS' }],
  ['route', CASES[2], {}],
])('without a %s from Google the fallback answers, marked as degraded', async (_, live, body) => {
  const { tool, port, provider, input, fallback } = live as VendorCase
  const runtime = openRuntime([tool], {
    [port]: provider({
      baseUrl: 'https://v.example',
      key: 'k',
      fetchFor: () => async () => Response.json(body),
    }),
  })
  const answer = await runtime.call({ tool: tool.id, input, caller: ANN, surface: 'test' })
  expect(answer).toMatchObject({
    status: 'done',
    source: 'fallback',
    degraded: true,
    data: fallback,
  })
})

test('an unknown place is null, and not degraded', async () => {
  const [places] = CASES
  const { call } = await open(places as VendorCase)
  expect(await call({ query: 'Nowhere at all' })).toMatchObject({
    status: 'done',
    source: 'executed',
    degraded: false,
    data: null,
  })
})

test('the key is in no error message', async () => {
  emulator = await startEmulator({ routes: googlePlacesEndpoints })
  const provider = googlePlaces({ baseUrl: emulator.url, key: 'secret-key', fetchFor: () => fetch })
  const unknown = provider.resolve({ tenant: 'home', query: 'x' }, new AbortController().signal)
  await expect(unknown).resolves.toBeNull()
  emulator.fail({ kind: '429', retryAfterSeconds: 7 })
  const limited = provider.resolve(
    { tenant: 'home', query: 'Berlin' },
    new AbortController().signal,
  )
  await expect(limited).rejects.toMatchObject({
    code: 'TOOL_RATE_LIMIT_EXCEEDED',
    details: { retryAfterMs: 7_000 },
  })
  await expect(limited).rejects.not.toThrow('secret-key')
})
