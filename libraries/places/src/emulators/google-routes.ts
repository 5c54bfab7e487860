import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'

type Waypoint = {
  readonly location?: {
    readonly latLng?: { readonly latitude: number; readonly longitude: number }
  }
}
type RouteRequest = {
  readonly origin?: Waypoint
  readonly destination?: Waypoint
  readonly travelMode?: string
  readonly departureTime?: string
}

const SECONDS_PER_DEGREE: Readonly<Record<string, number>> = {
  DRIVE: 6_000,
  TRANSIT: 9_000,
  WALK: 80_000,
}

/** Google's Routes API on a plane where all degrees are equally long, so that tests can compute it. */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/directions/v2:computeRoutes', handle: computeRoutes },
]

function computeRoutes(request: EmulatorRequest): EmulatorReply {
  if (request.headers['x-goog-api-key'] === undefined)
    return failure(403, 'PERMISSION_DENIED', 'The request is missing a valid API key.')
  const mask = request.headers['x-goog-fieldmask']
  if (mask === undefined)
    return failure(400, 'INVALID_ARGUMENT', 'FieldMask is a required parameter.')
  const { origin, destination, travelMode = 'DRIVE' } = request.json() as RouteRequest
  const [from, to] = [origin?.location?.latLng, destination?.location?.latLng]
  const pace = SECONDS_PER_DEGREE[travelMode]
  if (from === undefined || to === undefined || pace === undefined)
    return failure(400, 'INVALID_ARGUMENT', 'Origin and destination must be set.')
  const degrees = Math.hypot(from.latitude - to.latitude, from.longitude - to.longitude)
  // So far apart, there is an ocean between them and no route.
  if (degrees > 50) return { body: {} }
  const route: Readonly<Record<string, unknown>> = {
    duration: `${Math.round(degrees * pace)}s`,
    distanceMeters: Math.round(degrees * 111_000),
  }
  return {
    body: {
      routes: [
        Object.fromEntries(
          Object.entries(route).filter(([name]) => mask.includes(`routes.${name}`)),
        ),
      ],
    },
  }
}

function failure(code: number, status: string, message: string): EmulatorReply {
  return { status: code, body: { error: { code, message, status } } }
}
