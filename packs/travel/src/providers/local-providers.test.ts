import { memoryStores } from '@surehand/core'
import { greatCircleMeters, localDirections, localPlaces } from '@surehand/places'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FlightOffer, type FlightQuery } from '../flights/flights-port.ts'
import { timetableFlights } from '../flights/providers/timetable-flights.ts'
import { DistanceMatrix } from '../maps/maps-ports.ts'
import { formatMeasures } from '../maps/providers/format-measures.ts'
import { localDistances, localGeocoder, localPois } from '../maps/providers/local-maps.ts'
import { timetableStays } from '../stays/providers/timetable-stays.ts'
import { BookedStay, type StayListing } from '../stays/stays-port.ts'
import { climateModel, noWeather } from '../weather/providers/climate-model.ts'
import { noWebSearch } from '../web/providers/local-crawl.ts'

const { signal } = new AbortController()
const places = localPlaces()
const ANN = { tenant: 'home', userId: 'ann' }
const BEN = { tenant: 'home', userId: 'ben' }
let nowMs = Date.parse('2026-11-16T12:00:00Z')
const now = () => nowMs

describe('flights of the timetable model', () => {
  const flights = timetableFlights({ places, now })
  const search = (query: Partial<FlightQuery>) =>
    flights.search(
      {
        ...ANN,
        origin: 'BER',
        destination: 'LIS',
        departureDate: '2027-05-10',
        passengers: 1,
        cabin: 'economy',
        currency: 'USD',
        ...query,
      },
      signal,
    )

  test('are the same for the same question, and say that no airline flies them', async () => {
    const [first, again] = [await search({}), await search({})]
    expect(again).toEqual(first)
    expect(first).toMatchObject({ provider: 'timetable', estimated: true })
    expect(first.offers.length).toBeGreaterThan(2)
    for (const offer of first.offers) {
      expect(FlightOffer.parse(offer).owner?.name).toContain('not a real airline')
      expect(offer.slices[0]?.segments[0]?.departing_at).toMatch(/^2027-05-10T/)
    }
  })

  test('take as long as the great circle, in the local times of both ends', async () => {
    const { offers } = await search({ origin: 'JFK', destination: 'LHR' })
    const direct = offers.find(({ slices }) => slices[0]?.segments.length === 1)
    const segment = direct?.slices[0]?.segments[0]
    const [departs, arrives] = [segment?.departing_at ?? '', segment?.arriving_at ?? '']
    // London is five hours ahead of New York in May.
    const minutes = (Date.parse(`${arrives}Z`) - Date.parse(`${departs}Z`)) / 60_000 - 300
    expect(minutes).toBeGreaterThan(390)
    expect(minutes).toBeLessThan(460)
    expect(segment?.duration).toBe(`PT${Math.floor(minutes / 60)}H${minutes % 60}M`)
  })

  test('connect where nothing flies directly, at one airport and in order of time', async () => {
    const { offers } = await search({ origin: 'KGL', destination: 'AKL' })
    expect(offers.length).toBeGreaterThan(0)
    for (const { slices } of offers) {
      const segments = slices[0]?.segments ?? []
      expect(segments).toHaveLength(2)
      expect(segments[0]?.destination.iata_code).toBe(segments[1]?.origin.iata_code)
      expect((segments[0]?.arriving_at ?? '') < (segments[1]?.departing_at ?? '')).toBe(true)
    }
  })

  test('cost more for more people and better cabins, in the currency that was asked for', async () => {
    const amount = async (query: Partial<FlightQuery>) =>
      Math.min(...(await search(query)).offers.map((offer) => Number(offer.total_amount)))
    const one = await amount({})
    expect(await amount({ passengers: 3 })).toBeCloseTo(one * 3, 0)
    expect(await amount({ cabin: 'business' })).toBeGreaterThan(one * 3)
    expect(await amount({ returnDate: '2027-05-17' })).toBeGreaterThan(one * 1.5)
    expect((await search({ currency: 'EUR' })).offers[0]?.total_currency).toBe('EUR')
    expect((await search({ currency: 'XAF' })).offers[0]?.total_currency).toBe('USD')
  })

  test.each([
    ['Lisbon', 'LIS'],
    ['London', 'LHR'],
    ['Kigali', 'KGL'],
    ['Potsdam, Germany', 'BER'],
  ])('%s has the airport %s', async (town, iataCode) => {
    expect(await flights.airportNear({ ...ANN, town }, signal)).toMatchObject({ iataCode })
  })

  test('of a code that no airport has are refused', async () => {
    await expect(search({ origin: 'QQQ' })).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
    })
    expect((await search({ origin: 'LON', destination: 'NYC' })).offers.length).toBeGreaterThan(0)
  })
})

describe('stays of the model', () => {
  const open = () => timetableStays({ places, values: memoryStores().values, now })
  const dates = { checkin: '2027-05-10', checkout: '2027-05-17', guests: 2 }
  const find = async (stays: ReturnType<typeof open>, wanted: (one: StayListing) => boolean) => {
    const { listings } = await stays.search({ ...ANN, ...dates, location: 'Lisbon' }, signal)
    const listing = listings.find(wanted)
    if (listing === undefined) throw new Error('There is no such stay.')
    return listing
  }
  const isRefundable = ({ cancellation = '' }: StayListing) => cancellation.startsWith('Free')
  const order = async (stays: ReturnType<typeof open>, listingId: string, reference = 'bk_1') => {
    const { total } = await stays.quote({ ...ANN, ...dates, listingId }, signal)
    const sessionId = 'session-1'
    return { ...ANN, ...dates, listingId, reference, sessionId, total, idempotencyKey: reference }
  }

  test('are the same for the same question, near the town, and say that they are examples', async () => {
    const stays = open()
    const search = { ...ANN, ...dates, location: 'Lisbon' }
    const found = await stays.search(search, signal)
    expect(await open().search(search, signal)).toEqual(found)
    expect(found).toMatchObject({ provider: 'timetable', estimated: true })
    expect(found.listings.length).toBeGreaterThan(4)
    for (const { name, lat = 0, lon = 0, price = 0, totalPrice = 0 } of found.listings) {
      expect(name).toContain('(example)')
      expect(greatCircleMeters({ lat, lng: lon }, { lat: 38.72, lng: -9.13 })).toBeLessThan(6_000)
      expect(Math.abs(price * 7 - totalPrice)).toBeLessThan(0.05)
    }
  })

  test('are booked once for a reference, at the price of the quote, and found again', async () => {
    const stays = open()
    const { listingId, totalPrice } = await find(stays, isRefundable)
    const wanted = await order(stays, listingId)
    const booked = BookedStay.parse(await stays.book(wanted, signal))
    expect(booked).toMatchObject({ status: 'confirmed', reference: 'bk_1', listingId })
    expect(Number(booked.total.amount)).toBe(totalPrice)
    expect(await stays.book(wanted, signal)).toEqual(booked)
    expect(await stays.findBooking({ idempotencyKey: 'x', args: wanted }, signal)).toEqual(booked)
    expect(await stays.list(ANN, signal)).toEqual([booked])
    expect(await stays.list(BEN, signal)).toEqual([])
    expect(await stays.get({ ...BEN, reference: 'bk_1' }, signal)).toBeUndefined()
  })

  test('are not booked at another price than the approved one', async () => {
    const stays = open()
    const { listingId } = await find(stays, isRefundable)
    const wanted = {
      ...(await order(stays, listingId)),
      total: { amount: '1.00', currency: 'USD' },
    }
    await expect(stays.book(wanted, signal)).rejects.toMatchObject({
      details: { source_code: 'price_changed' },
      effect: 'none',
    })
    expect(await stays.list(ANN, signal)).toEqual([])
  })

  test('are refunded by their terms, and only once', async () => {
    const stays = open()
    const { listingId } = await find(stays, isRefundable)
    const { total } = await stays.book(await order(stays, listingId), signal)
    const cancel = { ...ANN, reference: 'bk_1', idempotencyKey: 'c' }
    expect(await stays.cancel(cancel, signal)).toMatchObject({ status: 'cancelled', refund: total })
    const before = nowMs
    nowMs = Date.parse('2027-05-09T00:00:00Z')
    expect(await stays.cancel(cancel, signal)).toMatchObject({ status: 'cancelled', refund: total })
    const late = await stays.book(await order(stays, listingId, 'bk_2'), signal)
    expect(late.refund).toEqual({ amount: '0.00', currency: 'USD' })
    nowMs = before
  })

  test('that nobody offers cannot be quoted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (listingId) => {
        const quote = open().quote({ ...ANN, ...dates, listingId }, signal)
        await expect(quote).rejects.toMatchObject({ code: 'TOOL_RESOURCE_NOT_FOUND' })
      }),
      { numRuns: 30 },
    )
  })
})

describe('maps without a service', () => {
  test('find towns, and say where only the town is known', async () => {
    const geocode = (address: string) => localGeocoder(places).geocode({ ...ANN, address }, signal)
    expect(await geocode('Lisbon')).toMatchObject([{ precision: 'place', provider: 'gazetteer' }])
    expect(await geocode('Rua Augusta 5, Lisbon')).toMatchObject([{ precision: 'town' }])
    expect(await geocode('Xyzzyville')).toEqual([])
  })

  test('answer as Distance Matrix JSON, with their accuracy', async () => {
    const answer = await localDistances(places, localDirections()).matrix(
      { ...ANN, origins: ['Lisbon'], destinations: ['Porto', 'Xyzzyville'], units: 'metric' },
      signal,
    )
    const [porto, unknown] = DistanceMatrix.parse(answer.matrix).rows[0]?.elements ?? []
    // By road it is 313 km and takes three hours.
    expect(porto?.distance?.value).toBeGreaterThan(270_000)
    expect(porto?.distance?.value).toBeLessThan(390_000)
    expect(porto?.duration?.text).toMatch(/^[34] hours \d+ mins?$/)
    expect(unknown).toEqual({ status: 'NOT_FOUND' })
    expect(answer).toMatchObject({ provider: 'great-circle' })
    expect(answer.accuracy).toContain('without a road network')
  })

  test.each([
    [{ distanceMeters: 850, durationSeconds: 61 }, 'metric', '850 m', '1 min'],
    [{ distanceMeters: 313_400, durationSeconds: 11_100 }, 'metric', '313 km', '3 hours 5 mins'],
    [{ distanceMeters: 5_180, durationSeconds: 90_000 }, 'imperial', '3.2 mi', '1 day 1 hour'],
  ] as const)('%j in %s is "%s" and "%s"', (trip, units, distance, duration) => {
    expect(formatMeasures(trip, units)).toMatchObject({
      distance: { text: distance },
      duration: { text: duration },
    })
  })

  test('show towns as points of interest, labelled as a stub', async () => {
    const query = { ...ANN, destination: 'Lisbon', radiusMeters: 20_000, limit: 5 }
    const { pois, provider } = await localPois(places).search(query, signal)
    expect([provider, pois.length, pois[0]?.name]).toEqual(['stub', 5, 'Lisbon'])
  })
})

describe('weather without a service', () => {
  const at = (day: string) => Date.parse(`${day}T14:00:00Z`)
  test.each([
    ['Lisbon', '2026-07-20', 20, 30],
    ['Lisbon', '2026-01-20', 8, 17],
    ['Oslo', '2026-01-20', -12, 2],
    ['Sydney', '2026-01-20', 15, 28],
    ['Singapore', '2026-06-01', 25, 33],
  ])('in %s on %s is usually between %i and %i °C', async (city, day, least, most) => {
    const climate = climateModel(places)
    const usual = await climate.estimate({ ...ANN, city, units: 'metric', at: at(day) }, signal)
    expect(usual.temp).toBeGreaterThanOrEqual(least)
    expect(usual.temp).toBeLessThanOrEqual(most)
    expect(usual.provider).toBe('climate-model')
    const fahrenheit = { ...ANN, city, units: 'imperial', at: at(day) } as const
    const again = await climate.estimate(fahrenheit, signal)
    expect(again.temp).toBeCloseTo((usual.temp * 9) / 5 + 32, 0)
  })

  test('and a web search without an engine say so', async () => {
    const weather = noWeather().current({ ...ANN, city: 'Lisbon', units: 'metric' }, signal)
    const search = noWebSearch().search({ ...ANN, query: 'x', limit: 1, fresh: false }, signal)
    for (const one of [weather, search])
      await expect(one).rejects.toMatchObject({ code: 'TOOL_CONFIGURATION_ERROR' })
  })
})
