import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'

type Waypoint = {
  readonly location?: {
    readonly latLng?: { readonly latitude: number; readonly longitude: number }
  }
}
type Wanted = {
  readonly origin?: Waypoint
  readonly destination?: Waypoint
  readonly travelMode?: string
  readonly departureTime?: string
}

const SECONDS_A_DEGREE: Readonly<Record<string, number>> = {
  DRIVE: 6_000,
  TRANSIT: 9_000,
  WALK: 80_000,
}

/**
 * Google's Routes API on a plane where a degree is a degree: answers to be checked, not to be
 * driven.
 */
export const googleRoutesEndpoints: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/directions/v2:computeRoutes', handle: computeRoutes },
]

function computeRoutes(request: EmulatorRequest): EmulatorReply {
  if (request.headers['x-goog-api-key'] === undefined)
    return failure(403, 'PERMISSION_DENIED', 'The request is missing a valid API key.')
  const mask = request.headers['x-goog-fieldmask']
  if (mask === undefined)
    return failure(400, 'INVALID_ARGUMENT', 'FieldMask is a required parameter.')
  const { origin, destination, travelMode = 'DRIVE' } = request.json() as Wanted
  const [from, to] = [origin?.location?.latLng, destination?.location?.latLng]
  const pace = SECONDS_A_DEGREE[travelMode]
  if (from === undefined || to === undefined || pace === undefined)
    return failure(400, 'INVALID_ARGUMENT', 'Origin and destination must be set.')
  const degrees = Math.hypot(from.latitude - to.latitude, from.longitude - to.longitude)
  // There is no route across the sea.
  if (degrees > 50) return { body: {} }
  const whole: Readonly<Record<string, unknown>> = {
    duration: `${Math.round(degrees * pace)}s`,
    distanceMeters: Math.round(degrees * 111_000),
  }
  return {
    body: {
      routes: [
        Object.fromEntries(
          Object.entries(whole).filter(([name]) => mask.includes(`routes.${name}`)),
        ),
      ],
    },
  }
}

function failure(code: number, status: string, message: string): EmulatorReply {
  return { status: code, body: { error: { code, message, status } } }
}
