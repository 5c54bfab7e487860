import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { travelRead } from '../read-contract.ts'
import { searchContextOf } from '../travel-context.ts'
import { DistanceMatrix, distancesPort } from './maps-ports.ts'

// The bounds of Google's Distance Matrix.
const MAX_PLACES = 25
const MAX_ELEMENTS = 100
const Address = z.string().trim().min(1).max(500)

export const distanceMatrix = defineTool({
  id: 'travel.distanceMatrix',
  title: 'Distances between places',
  category: 'travel',
  description:
    'How far it is and how long it takes by road from each origin to each destination, as Distance Matrix JSON: `value` is metres and seconds. `accuracy` says how far an estimate can be trusted.',
  aliases: ['distanceMatrix'],
  input: z
    .object({
      origins: z.array(Address).min(1).max(MAX_PLACES),
      destinations: z.array(Address).min(1).max(MAX_PLACES),
      units: z.enum(['metric', 'imperial']).default('metric'),
    })
    .refine(({ origins, destinations }) => origins.length * destinations.length <= MAX_ELEMENTS, {
      path: ['destinations'],
      error: `must be so few that origins × destinations is at most ${MAX_ELEMENTS}`,
    }),
  output: DistanceMatrix.extend({ provider: z.string(), accuracy: z.string().optional() }),
  contract: {
    ...travelRead,
    timeout: '15s',
    limits: [{ calls: 20, per: '1m' }],
    cache: { ttl: '1h', shared: true },
  },
  ports: { distances: distancesPort },
  examples: [
    { name: 'two towns', input: { origins: ['Lisbon'], destinations: ['Porto', 'Sintra'] } },
    {
      name: 'in miles',
      input: { origins: ['Boston'], destinations: ['New York'], units: 'imperial' },
    },
  ],
  execute: async ({ input, caller, ports, signal }) => {
    const { matrix, provider, accuracy } = await ports.distances.matrix(
      { ...searchContextOf(caller), ...input },
      signal,
    )
    return { ...matrix, provider, ...(accuracy === undefined ? {} : { accuracy }) }
  },
})
