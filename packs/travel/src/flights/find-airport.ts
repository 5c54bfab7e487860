import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { travelRead } from '../read-contract.ts'
import { searchContextOf } from '../travel-context.ts'
import { flightsPort } from './flights-port.ts'

export const findAirport = defineTool({
  id: 'travel.findAirport',
  title: 'Find the airport of a town',
  category: 'travel',
  description:
    'The IATA code of the airport that serves a town, for travel.searchFlights. Null if there is none near it.',
  aliases: ['findAirport'],
  input: z.object({ town: z.string().trim().min(1).max(200) }),
  output: z.object({ iataCode: z.string(), name: z.string() }).nullable(),
  contract: { ...travelRead, timeout: '8s', cache: { ttl: '24h', shared: true } },
  ports: { flights: flightsPort },
  examples: [
    { name: 'a capital', input: { town: 'Lisbon' } },
    { name: 'another', input: { town: 'Berlin' } },
  ],
  execute: ({ input, caller, ports, signal }) =>
    ports.flights.airportNear({ ...searchContextOf(caller), ...input }, signal),
})
