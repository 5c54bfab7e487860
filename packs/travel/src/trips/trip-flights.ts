import type { Run } from '@surehand/core'
import { findAirport } from '../flights/find-airport.ts'
import type { FlightOffer } from '../flights/flights-port.ts'
import { searchFlights } from '../flights/search-flights.ts'
import { currencyOf, type Trip } from './trip.ts'
import type { Remembered } from './trip-memories.ts'

type FoundFlights = { readonly items: readonly FlightOffer[]; readonly notes: readonly string[] }

const SEARCH = { within: '10s', retries: 0 } as const
const LOOK_UP = { within: '4s', retries: 0 } as const

/**
 * Flights to the first stop and back from the last one. A tour needs two tickets, because a search
 * for a return flight starts and ends at the same airport.
 */
export async function findFlights(
  run: Pick<Run<unknown>, 'step'>,
  trip: Trip,
  { cabin }: Remembered,
): Promise<FoundFlights> {
  const [first = ''] = trip.destinations
  const last = trip.destinations.at(-1) ?? first
  if (trip.origin === null)
    return { items: [], notes: ['No flights: the wish does not say where the trip starts.'] }
  const from = await run.step('from', findAirport, { town: trip.origin }, LOOK_UP)
  const to = await run.step('to', findAirport, { town: first }, LOOK_UP)
  const back = last === first ? to : await run.step('back', findAirport, { town: last }, LOOK_UP)
  if (from === null || to === null || back === null) {
    const town = from === null ? trip.origin : to === null ? first : last
    return { items: [], notes: [`No airport is known near ${town}.`] }
  }
  if (from.iataCode === to.iataCode || from.iataCode === back.iataCode)
    return { items: [], notes: ['No flights: both places have the same airport.'] }
  const common = { passengers: trip.travelers, cabin, currency: currencyOf(trip) }
  const there = { origin: from.iataCode, destination: to.iataCode, departureDate: trip.startDate }
  if (back.iataCode === to.iataCode)
    return toFlights(
      await run.step(
        'search',
        searchFlights,
        { ...there, ...common, returnDate: trip.endDate },
        SEARCH,
      ),
    )
  const out = await run.step('search', searchFlights, { ...there, ...common }, SEARCH)
  const home = { origin: back.iataCode, destination: from.iataCode, departureDate: trip.endDate }
  const inbound = await run.step('search-back', searchFlights, { ...home, ...common }, SEARCH)
  const { notes } = toFlights(out)
  return {
    items: joinTickets(out.offers, inbound.offers),
    notes: [...notes, 'The flights there and back are two tickets.'],
  }
}

type Flights = {
  readonly offers: readonly FlightOffer[]
  readonly estimated: boolean
  readonly provider: string
}

function toFlights({ offers, estimated, provider }: Flights): FoundFlights {
  const label = `Flights and fares are examples (${provider}), not offers of airlines.`
  return { items: offers, notes: estimated ? [label] : [] }
}

/** Two tickets as one item: the cheapest there with the cheapest back, and so on. */
function joinTickets(
  there: readonly FlightOffer[],
  back: readonly FlightOffer[],
): readonly FlightOffer[] {
  const cheapest = (offers: readonly FlightOffer[]) =>
    offers.toSorted((left, right) => Number(left.total_amount) - Number(right.total_amount))
  const returns = cheapest(back)
  return cheapest(there).flatMap((one, index) => {
    const other = returns[index]
    if (other === undefined || other.total_currency !== one.total_currency) return []
    const total = Number(one.total_amount) + Number(other.total_amount)
    return [
      {
        ...one,
        id: `${one.id}+${other.id}`,
        total_amount: total.toFixed(2),
        slices: [...one.slices, ...other.slices],
      },
    ]
  })
}
