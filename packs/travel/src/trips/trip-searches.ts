import { isToolError, type Run } from '@surehand/core'
import { findAirport } from '../flights/find-airport.ts'
import { searchFlights } from '../flights/search-flights.ts'
import { lookupPoiContext } from '../maps/lookup-poi-context.ts'
import { searchAccommodations } from '../stays/search-accommodations.ts'
import { weather } from '../weather/weather.ts'
import { webSearch } from '../web/web-search.ts'
import { currencyOf, type Trip } from './trip.ts'
import type { Remembered } from './trip-memories.ts'

type Item = Readonly<Record<string, unknown>>

/** What the searches of a trip found. Notes say what could not be searched, and why. */
export type Found = {
  readonly flights: readonly Item[]
  readonly accommodations: readonly Item[]
  readonly activities: readonly Item[]
  readonly notes: readonly string[]
}

type Searches = Pick<Run<unknown>, 'step' | 'each' | 'report'>

const EVERY_ROUND = ['flights', 'stays', 'sights'] as const
/** These do not depend on what a person edits. */
const FIRST_ROUND = ['weather', 'tips'] as const
type Kind = (typeof EVERY_ROUND)[number] | (typeof FIRST_ROUND)[number]

/** Searches everything that a trip needs, at once. A search that fails becomes a note. */
export async function searchTrip(
  run: Searches,
  trip: Trip,
  { remembered, round }: { readonly remembered: Remembered; readonly round: number },
): Promise<Found> {
  run.report({ fraction: 0.3, message: `Searching ${trip.destination}` })
  const kinds: readonly Kind[] = round === 1 ? [...EVERY_ROUND, ...FIRST_ROUND] : EVERY_ROUND
  const searched = await run.each(kinds, {
    id: (kind) => `${kind}-${round}`,
    work: (kind, branch) => trySearch(() => search(kind, branch, { trip, remembered })),
  })
  const itemsOf = (kind: Kind): Found['flights'] => searched[kinds.indexOf(kind)]?.items ?? []
  return {
    flights: itemsOf('flights'),
    accommodations: itemsOf('stays'),
    activities: itemsOf('sights'),
    notes: searched.flatMap(({ notes }) => notes),
  }
}

type Searched = { readonly items: readonly Item[]; readonly notes: readonly string[] }
type Asked = { readonly trip: Trip; readonly remembered: Remembered }

function search(kind: Kind, run: Searches, { trip, remembered }: Asked): Promise<Searched> {
  switch (kind) {
    case 'flights':
      return findFlights(run, trip, remembered)
    case 'stays':
      return findStays(run, trip)
    case 'sights':
      return findSights(run, trip, remembered)
    case 'weather':
      return findWeather(run, trip)
    case 'tips':
      return findTips(run, trip)
  }
}

// A plan without flights, or without the weather, is better than none.
async function trySearch(work: () => Promise<Searched>): Promise<Searched> {
  try {
    return await work()
  } catch (thrown) {
    if (!isToolError(thrown) || thrown.code === 'TOOL_RUN_DIVERGED') throw thrown
    return { items: [], notes: [`A search failed: ${thrown.message}`] }
  }
}

async function findFlights(run: Searches, trip: Trip, { cabin }: Remembered): Promise<Searched> {
  if (trip.origin === null)
    return { items: [], notes: ['No flights: the wish does not say where the trip starts.'] }
  const from = await run.step('from', findAirport, { town: trip.origin })
  const to = await run.step('to', findAirport, { town: trip.destination })
  if (from === null || to === null)
    return {
      items: [],
      notes: [`No airport is known near ${from === null ? trip.origin : trip.destination}.`],
    }
  if (from.iataCode === to.iataCode)
    return { items: [], notes: ['No flights: both places have the same airport.'] }
  const { offers, estimated, provider } = await run.step('search', searchFlights, {
    origin: from.iataCode,
    destination: to.iataCode,
    departureDate: trip.startDate,
    returnDate: trip.endDate,
    passengers: trip.travelers,
    cabin,
    currency: currencyOf(trip),
  })
  const label = `Flights and fares are examples (${provider}), not offers of airlines.`
  return { items: offers, notes: estimated ? [label] : [] }
}

async function findStays(run: Searches, trip: Trip): Promise<Searched> {
  const { listings, estimated, provider } = await run.step('search', searchAccommodations, {
    location: trip.destination,
    checkin: trip.startDate,
    checkout: trip.endDate,
    guests: trip.travelers,
  })
  const items = listings
    .filter(({ bookable }) => bookable)
    .map((listing) => ({ ...listing, checkin: trip.startDate, checkout: trip.endDate }))
  const label = `Stays are examples (${provider}): they do not exist.`
  return { items, notes: estimated ? [label] : [] }
}

async function findSights(run: Searches, trip: Trip, { interests }: Remembered): Promise<Searched> {
  const wanted = [...new Set([...trip.interests, ...interests])].slice(0, 2)
  const queries = wanted.length === 0 ? ['sights'] : wanted
  const pois: Item[] = []
  const notes: string[] = []
  for (const [index, query] of queries.entries()) {
    const found = await run.step(`search-${index}`, lookupPoiContext, {
      destination: trip.destination,
      query,
      radiusMeters: 10_000,
    })
    pois.push(...found.pois)
    if (found.provider === 'stub' && notes.length === 0)
      notes.push('No places service is configured: activities are towns nearby, without ratings.')
  }
  const byId = new Map(pois.map((poi) => [poi.placeId, poi]))
  return { items: [...byId.values()], notes }
}

async function findWeather(run: Searches, trip: Trip): Promise<Searched> {
  const { temp, description, provider } = await run.step('now', weather, {
    city: trip.destination,
  })
  return { items: [], notes: [`Weather now: ${description}, ${temp} °C (${provider}).`] }
}

async function findTips(run: Searches, trip: Trip): Promise<Searched> {
  const { results } = await run.step('search', webSearch, {
    query: `${trip.destination} travel tips ${trip.interests.join(' ')}`.slice(0, 256),
    limit: 3,
  })
  const notes = results.map(({ title, url }) => `Read more: ${title ?? url} (${url})`)
  return { items: [], notes }
}
