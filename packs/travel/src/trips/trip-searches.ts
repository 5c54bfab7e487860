import { isToolError, type Run } from '@surehand/core'
import { hashJson } from '@surehand/core/internal'
import { addDays } from '@surehand/dates'
import { distanceMatrix } from '../maps/distance-matrix.ts'
import { lookupPoiContext } from '../maps/lookup-poi-context.ts'
import { searchAccommodations } from '../stays/search-accommodations.ts'
import { weather } from '../weather/weather.ts'
import { webSearch } from '../web/web-search.ts'
import { currencyOf, type Stop, stopsOf, type Trip } from './trip.ts'
import { findFlights } from './trip-flights.ts'
import type { Remembered } from './trip-memories.ts'

type Item = Readonly<Record<string, unknown>>

/** What the searches of a trip found. Notes say what could not be searched, and why. */
export type Found = {
  readonly flights: readonly Item[]
  /** One list for each stop. */
  readonly stays: readonly (readonly Item[])[]
  readonly activities: readonly Item[]
  /** The ways from one stop to the next. */
  readonly transportation: readonly Item[]
  readonly notes: readonly string[]
}

/**
 * The calls of vendors that a run may make, in all its rounds. A search is not tried again when it
 * fails, so that each of them is one call.
 */
export const MAX_VENDOR_CALLS = 30
/** Quoting a stay, quoting it again before the booking, and the booking. */
const CALLS_PER_BOOKING = 3
const SEARCH = { within: '10s', retries: 0 } as const

type Steps = Pick<Run<unknown>, 'step'>
type Searched = {
  readonly items: readonly Item[]
  readonly notes: readonly string[]
  readonly hasFailed?: boolean
}
type Kind = 'flights' | 'stays' | 'sights' | 'ways' | 'weather' | 'tips'
type Search = {
  readonly kind: Kind
  readonly id: string
  /** In the words of a note. */
  readonly what: string
  readonly calls: number
  /** What the answer depends on: a search with the same facts is not made again. */
  readonly facts: unknown
  readonly work: (run: Steps) => Promise<Searched>
}

/**
 * The searches of one run. What an earlier round found is not searched again, and no round begins a
 * search that would exceed what the run may spend. Both depend on stored answers only, so that a run
 * that is resumed makes the same choices.
 */
export function createTripSearches(run: Pick<Run<unknown>, 'each' | 'report'>) {
  const known = new Map<string, Searched>()
  let used = 0

  return async (trip: Trip, remembered: Remembered, round: number): Promise<Found> => {
    run.report({ fraction: 0.3, message: `Searching ${trip.destinations.join(', ')}` })
    const wanted = listSearches(trip, remembered)
    const limit = MAX_VENDOR_CALLS - CALLS_PER_BOOKING * trip.destinations.length
    const begun: Search[] = []
    const skipped: Search[] = []
    for (const search of wanted.filter(({ facts }) => !known.has(hashJson(facts)))) {
      const fits = used + search.calls <= limit
      if (fits) used += search.calls
      ;(fits ? begun : skipped).push(search)
    }
    const searched = await run.each(begun, {
      id: ({ id }) => `${id}-${round}`,
      work: ({ work }, branch) => trySearch(() => work(branch)),
    })
    const answered = new Map(known)
    for (const [index, { facts }] of begun.entries()) {
      const found = searched[index] ?? NOTHING
      answered.set(hashJson(facts), found)
      if (!found.hasFailed) known.set(hashJson(facts), found)
    }
    const answers = wanted.map(({ kind, facts }) => ({
      kind,
      found: answered.get(hashJson(facts)) ?? NOTHING,
    }))
    const itemsOf = (kind: Kind) =>
      answers.filter((one) => one.kind === kind).map(({ found }) => found.items)
    return {
      flights: itemsOf('flights').flat(),
      stays: itemsOf('stays'),
      activities: arrangeSights(itemsOf('sights'), stopsOf(trip)),
      transportation: itemsOf('ways').flat(),
      notes: [...new Set(answers.flatMap(({ found }) => found.notes)), ...skippedNote(skipped)],
    }
  }
}

/** Of a tour: the best sights of each stop in turn, each on a day on which the person is there. */
function arrangeSights(
  found: readonly (readonly Item[])[],
  stops: readonly Stop[],
): readonly Item[] {
  if (found.length === 1) return found.flat()
  const most = Math.max(0, ...found.map((items) => items.length))
  return Array.from({ length: most }, (_, rank) =>
    found.flatMap((items, index) => {
      const item = items[rank]
      const stop = stops[index]
      return item === undefined || stop === undefined ? [] : [{ ...item, date: dayIn(stop, rank) }]
    }),
  ).flat()
}

// Not on the day of arrival, if there is another one.
function dayIn({ checkin, checkout }: Stop, number: number): string {
  const nights = Math.round((Date.parse(checkout) - Date.parse(checkin)) / 86_400_000)
  return nights === 1 ? checkin : addDays(checkin, 1 + (number % (nights - 1)))
}

const NOTHING: Searched = { items: [], notes: [] }

function skippedNote(skipped: readonly Search[]): readonly string[] {
  if (skipped.length === 0) return []
  const what = skipped.map((search) => search.what).join(', ')
  return [`Not searched, because one trip may use ${MAX_VENDOR_CALLS} calls of vendors: ${what}.`]
}

/** The most important ones first: these are still made when few calls are left. */
function listSearches(trip: Trip, remembered: Remembered): readonly Search[] {
  const stops = stopsOf(trip)
  const isTour = stops.length > 1
  const { travelers, origin } = trip
  const currency = currencyOf(trip)
  const interests = [...new Set([...trip.interests, ...remembered.interests])]
  const queries = interests.length === 0 ? ['sights'] : interests.slice(0, isTour ? 1 : 2)
  const [first] = stops
  return [
    ...stops.map(
      (stop, index): Search => ({
        kind: 'stays',
        id: isTour ? `stays-${index + 1}` : 'stays',
        what: `stays in ${stop.town}`,
        calls: 1,
        facts: ['stays', stop, travelers, currency],
        work: (run) => findStays(run, stop, trip),
      }),
    ),
    {
      kind: 'flights',
      id: 'flights',
      what: 'flights',
      calls: isTour ? 5 : 3,
      facts: ['flights', origin, stops, travelers, currency],
      work: (run) => findFlights(run, trip, remembered),
    },
    ...stops.map(
      ({ town }, index): Search => ({
        kind: 'sights',
        id: isTour ? `sights-${index + 1}` : 'sights',
        what: `sights in ${town}`,
        calls: queries.length,
        facts: ['sights', town, queries],
        work: (run) => findSights(run, town, queries),
      }),
    ),
    ...(isTour ? [waysBetween(stops)] : []),
    ...(first === undefined ? [] : aboutTown(first.town, trip.interests)),
  ]
}

// The weather and tips do not depend on what a person edits, but for the town.
function aboutTown(town: string, interests: readonly string[]): readonly Search[] {
  return [
    {
      kind: 'weather',
      id: 'weather',
      what: `the weather in ${town}`,
      calls: 1,
      facts: ['weather', town],
      work: (run) => findWeather(run, town),
    },
    {
      kind: 'tips',
      id: 'tips',
      what: `tips for ${town}`,
      calls: 1,
      facts: ['tips', town],
      work: (run) => findTips(run, town, interests),
    },
  ]
}

// A plan without flights, or without the weather, is better than none.
async function trySearch(work: () => Promise<Searched>): Promise<Searched> {
  try {
    return await work()
  } catch (thrown) {
    if (!isToolError(thrown) || thrown.code === 'TOOL_RUN_DIVERGED') throw thrown
    return { items: [], notes: [`A search failed: ${thrown.message}`], hasFailed: true }
  }
}

async function findStays(
  run: Steps,
  { town, checkin, checkout }: Stop,
  trip: Trip,
): Promise<Searched> {
  const { listings, estimated, provider } = await run.step(
    'search',
    searchAccommodations,
    { location: town, checkin, checkout, guests: trip.travelers, currency: currencyOf(trip) },
    SEARCH,
  )
  const items = listings
    .filter(({ bookable }) => bookable)
    .map((listing) => ({ ...listing, checkin, checkout }))
  const label = `Stays are examples (${provider}): they do not exist.`
  return { items, notes: estimated ? [label] : [] }
}

async function findSights(run: Steps, town: string, queries: readonly string[]): Promise<Searched> {
  const pois: Item[] = []
  const notes: string[] = []
  for (const [index, query] of queries.entries()) {
    const found = await run.step(
      `search-${index}`,
      lookupPoiContext,
      { destination: town, query, radiusMeters: 10_000 },
      SEARCH,
    )
    // The gazetteer answers with towns: the one that is visited is none of its sights.
    pois.push(...found.pois.filter(({ name }) => name !== town))
    if (found.provider === 'stub' && notes.length === 0)
      notes.push('No places service is configured: activities are towns nearby, without ratings.')
  }
  const byId = new Map(pois.map((poi) => [poi.placeId, poi]))
  return { items: [...byId.values()], notes }
}

function waysBetween(stops: readonly Stop[]): Search {
  const origins = stops.slice(0, -1).map(({ town }) => town)
  const destinations = stops.slice(1).map(({ town }) => town)
  return {
    kind: 'ways',
    id: 'ways',
    what: 'the ways between the stops',
    calls: 1,
    facts: ['ways', stops],
    async work(run) {
      const { rows } = await run.step('matrix', distanceMatrix, { origins, destinations }, SEARCH)
      const items = destinations.map((to, index) => {
        const element = rows[index]?.elements[index]
        const by = [element?.distance?.text, element?.duration?.text].filter(Boolean).join(', ')
        const from = origins[index] ?? ''
        return {
          mode: by === '' ? 'By road' : `By road (${by})`,
          from,
          to,
          date: stops[index + 1]?.checkin ?? '',
        }
      })
      return { items, notes: [] }
    },
  }
}

async function findWeather(run: Steps, town: string): Promise<Searched> {
  const found = await run.step('now', weather, { city: town }, SEARCH)
  const { temp, description, provider } = found
  return { items: [], notes: [`Weather now in ${town}: ${description}, ${temp} °C (${provider}).`] }
}

async function findTips(run: Steps, town: string, interests: readonly string[]): Promise<Searched> {
  const query = `${town} travel tips ${interests.join(' ')}`.slice(0, 256)
  const { results } = await run.step('search', webSearch, { query, limit: 3 }, SEARCH)
  const notes = results.map(({ title, url }) => `Read more: ${title ?? url} (${url})`)
  return { items: [], notes }
}
