import { defineTool } from '@surehand/core'
import { LatLng, placesPort } from '@surehand/places'
import { z } from 'zod'

const Place = z.object({
  placeId: z.string(),
  formattedAddress: z.string(),
  location: LatLng,
  name: z.string().optional(),
  precision: z
    .enum(['place', 'town'])
    .optional()
    .describe('"town": only the town is known, and the location is its centre.'),
  provider: z.string().optional(),
})

export const placesResolve = defineTool({
  id: 'places.resolve',
  title: 'Find a place',
  category: 'integration',
  description:
    'Finds the place that a text names ("123 Main St, San Francisco", "Golden Gate Park"): its id, address and coordinates. Null if it is unknown: then keep the text as it is.',
  aliases: ['PlacesResolve', 'places_resolve'],
  input: z.object({
    query: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .describe('An address or the name of a place, as a person would write it.'),
    regionCode: z
      .string()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, 'must be two letters, as in US')
      .optional()
      .describe('The country to prefer, as in US.'),
  }),
  output: Place.nullable(),
  contract: {
    effect: 'read',
    timeout: '5s',
    retries: 1,
    cache: { ttl: '24h', shared: true },
    fallback: () => null,
  },
  ports: { places: placesPort },
  examples: [
    { name: 'an address', input: { query: '123 Main St, San Francisco', regionCode: 'US' } },
    { name: 'a town', input: { query: 'München' } },
  ],
  execute: ({ input, caller, ports, signal }) =>
    ports.places.resolve({ tenant: caller.tenant, ...input }, signal),
})
