import { ToolError } from '@surehand/core'
import { asServiceError, sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { DirectionsPort } from './directions-port.ts'
import type { LatLng } from './lat-lng.ts'

const FIELDS = 'routes.duration,routes.distanceMeters'
const MODES = { driving: 'DRIVE', transit: 'TRANSIT', walking: 'WALK' } as const
// Google omits the distance of a route of length zero.
const Answer = z.object({
  routes: z
    .array(
      z.object({
        duration: z.string().regex(/^\d+(?:\.\d+)?s$/),
        distanceMeters: z.int().default(0),
      }),
    )
    .default([]),
})

/** Google's Routes API. */
export function googleRoutes({ baseUrl, key, fetchFor }: VendorAccess): DirectionsPort {
  return {
    async estimate({ tenant, origin, destination, mode, departureTime }, signal) {
      const request = {
        vendor: 'Google Routes',
        url: `${baseUrl}/directions/v2:computeRoutes`,
        method: 'POST',
        headers: { 'x-goog-api-key': key, 'x-goog-fieldmask': FIELDS },
        body: {
          origin: waypoint(origin),
          destination: waypoint(destination),
          travelMode: MODES[mode],
          ...(mode === 'driving' ? { routingPreference: 'TRAFFIC_AWARE' } : {}),
          ...(departureTime === undefined
            ? {}
            : { departureTime: new Date(departureTime).toISOString() }),
        },
        signal,
      } as const
      const [route] = (await sendJson(fetchFor(tenant), request, Answer).catch(asServiceError))
        .routes
      if (route === undefined)
        throw new ToolError(
          'TOOL_EXTERNAL_SERVICE_ERROR',
          'Google Routes found no route between these places.',
        )
      const durationSeconds = Math.round(Number(route.duration.slice(0, -1)))
      return {
        durationSeconds,
        distanceMeters: route.distanceMeters,
        provider: 'google',
        estimated: false,
      }
    },
  }
}

function waypoint({ lat, lng }: LatLng): object {
  return { location: { latLng: { latitude: lat, longitude: lng } } }
}
