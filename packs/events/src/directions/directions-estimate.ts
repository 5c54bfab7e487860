import { defineTool } from '@surehand/core'
import { Rfc3339DateTime } from '@surehand/documents'
import { directionsPort, greatCircleMeters, LatLng } from '@surehand/places'
import { z } from 'zod'

const BUFFER_MINUTES = 5
const UNKNOWN_MINUTES = 15

export const directionsEstimate = defineTool({
  id: 'directions.estimate',
  title: 'Estimate a trip',
  category: 'integration',
  description:
    'How long a trip from one place to another takes, how far it is, and how many minutes to keep free for it: the duration rounded up, plus five.',
  aliases: ['DirectionsEstimate', 'directions_estimate'],
  input: z.object({
    origin: LatLng,
    destination: LatLng,
    mode: z.enum(['driving', 'transit', 'walking']).default('driving'),
    departureTime: Rfc3339DateTime.optional(),
  }),
  output: z.object({
    durationSeconds: z.int(),
    distanceMeters: z.int(),
    travelBufferMinutes: z.int(),
    estimated: z
      .boolean()
      .optional()
      .describe('True: computed from the distance alone, without a road network.'),
    provider: z.string().optional(),
  }),
  contract: {
    effect: 'read',
    timeout: '8s',
    retries: 1,
    fallback: ({ input: { origin, destination } }) => ({
      durationSeconds: UNKNOWN_MINUTES * 60,
      distanceMeters: greatCircleMeters(origin, destination),
      travelBufferMinutes: UNKNOWN_MINUTES,
      estimated: true,
    }),
  },
  ports: { directions: directionsPort },
  examples: [
    {
      name: 'across town',
      input: {
        origin: { lat: 37.7749, lng: -122.4194 },
        destination: { lat: 37.7694, lng: -122.4862 },
      },
    },
    {
      name: 'on foot',
      input: {
        origin: { lat: 48.1351, lng: 11.582 },
        destination: { lat: 48.1402, lng: 11.5581 },
        mode: 'walking',
      },
    },
  ],
  execute: async ({ input, caller, ports, signal }) => {
    const travel = await ports.directions.estimate({ tenant: caller.tenant, ...input }, signal)
    const { durationSeconds, distanceMeters, estimated, provider } = travel
    return {
      durationSeconds,
      distanceMeters,
      travelBufferMinutes: Math.ceil(durationSeconds / 60) + BUFFER_MINUTES,
      estimated,
      provider,
    }
  },
})
