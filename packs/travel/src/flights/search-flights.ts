import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { travelRead } from '../read-contract.ts'
import { CivilDate, Currency, IataCode } from '../shapes.ts'
import { searchContextOf } from '../travel-context.ts'
import { CABINS, FlightOffer, flightsPort } from './flights-port.ts'

/** How many offers an answer carries: the cheapest. A vendor sends hundreds. */
const MAX_OFFERS = 20

export const searchFlights = defineTool({
  id: 'travel.searchFlights',
  title: 'Search flights',
  category: 'travel',
  description:
    'Searches flights between two airports or cities by their IATA codes, and returns offers in the shape of Duffel v2, the cheapest first. Nothing is booked or reserved. `estimated: true` means that a timetable model computed them: say so to the person.',
  aliases: ['searchFlights'],
  input: z
    .object({
      origin: IataCode,
      destination: IataCode,
      departureDate: CivilDate,
      returnDate: CivilDate.optional(),
      passengers: z.int().min(1).max(9).default(1),
      cabin: z.enum(CABINS).default('economy'),
      currency: Currency.default('USD'),
    })
    .refine(({ departureDate, returnDate }) => (returnDate ?? departureDate) >= departureDate, {
      path: ['returnDate'],
      error: 'must not be before the departure',
    })
    .refine(({ origin, destination }) => origin !== destination, {
      path: ['destination'],
      error: 'must be another airport than the origin',
    }),
  output: z.object({
    currency: z
      .string()
      .describe('The currency of the offers; the one that was asked for if they have several.'),
    offers: z.array(FlightOffer).max(MAX_OFFERS),
    provider: z.string(),
    estimated: z.boolean(),
  }),
  contract: {
    ...travelRead,
    timeout: '30s',
    limits: [{ calls: 8, per: '1m' }],
    cache: { ttl: '30m', shared: true },
  },
  ports: { flights: flightsPort },
  examples: [
    {
      name: 'there and back',
      input: {
        origin: 'BER',
        destination: 'LIS',
        departureDate: '2027-05-10',
        returnDate: '2027-05-17',
        passengers: 2,
        currency: 'EUR',
      },
    },
    {
      name: 'one way in business',
      input: { origin: 'JFK', destination: 'LHR', departureDate: '2027-03-01', cabin: 'business' },
    },
  ],
  execute: async ({ input, caller, ports, signal }) => {
    const found = await ports.flights.search({ ...searchContextOf(caller), ...input }, signal)
    const offers = found.offers
      .toSorted((left, right) => Number(left.total_amount) - Number(right.total_amount))
      .slice(0, MAX_OFFERS)
    const currencies = new Set(offers.map(({ total_currency }) => total_currency))
    const [only] = currencies
    return {
      currency: currencies.size === 1 && only !== undefined ? only : input.currency,
      offers,
      provider: found.provider,
      estimated: found.estimated,
    }
  },
})
