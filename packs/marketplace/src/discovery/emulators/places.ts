import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { z } from 'zod'

const Corner = z.object({ latitude: z.number(), longitude: z.number() })
const Body = z.object({
  textQuery: z.string().min(1),
  pageSize: z.int().min(1).max(20).default(20),
  locationRestriction: z.object({ rectangle: z.object({ low: Corner, high: Corner }) }).optional(),
})

const WORLD = [
  [
    'ChIJemulated1',
    'Pharmacie Kimironko',
    'KG 11 Ave, Kigali',
    -1.9385,
    30.1245,
    '+250 788 000 201',
  ],
  ['ChIJemulated2', 'Remera Pharmacy', 'KG 17 Ave, Kigali', -1.9478, 30.1062, '+250 788 000 202'],
  ['ChIJemulated3', 'Nyabugogo Tyres', 'KN 1 Rd, Kigali', -1.9397, 30.0445, '+250 788 000 203'],
  ['ChIJemulated4', 'Huye Pharmacy', 'NR 1, Huye', -2.5967, 29.7394, '+250 788 000 204'],
] as const

/** Text Search of Google's Places API (New) over four made-up places. */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/v1/places:searchText', handle: searchText },
]

function searchText(request: EmulatorRequest): EmulatorReply {
  if (request.headers['x-goog-api-key'] === undefined)
    return failure(403, 'PERMISSION_DENIED', 'The request is missing a valid API key.')
  const mask = request.headers['x-goog-fieldmask']?.split(',')
  if (mask === undefined)
    return failure(400, 'INVALID_ARGUMENT', 'FieldMask is a required parameter.')
  const body = Body.safeParse(request.json())
  if (!body.success) return failure(400, 'INVALID_ARGUMENT', 'The body is not valid.')
  const { textQuery, pageSize, locationRestriction } = body.data
  const wanted = /pharm|amoxi|medicine/i.test(textQuery) ? /pharm/i : /tyre|pneu/i
  const found = WORLD.filter(([, name, , latitude, longitude]) => {
    const { low, high } = locationRestriction?.rectangle ?? {}
    const isInside =
      low === undefined ||
      high === undefined ||
      (latitude >= low.latitude &&
        latitude <= high.latitude &&
        longitude >= low.longitude &&
        longitude <= high.longitude)
    return isInside && wanted.test(name)
  }).slice(0, pageSize)
  return {
    body: found.length === 0 ? {} : { places: found.map((place) => showPlace(place, mask)) },
    effect: { engine: 'places', body: request.body, headers: request.headers },
  }
}

function showPlace(
  [id, name, address, latitude, longitude, phone]: (typeof WORLD)[number],
  mask: readonly string[],
): object {
  const whole = {
    id,
    displayName: { text: name, languageCode: 'en' },
    formattedAddress: address,
    googleMapsUri: `https://maps.google.com/?cid=${id}`,
    internationalPhoneNumber: phone,
    location: { latitude, longitude },
  }
  return Object.fromEntries(
    Object.entries(whole).filter(([field]) => mask.includes(`places.${field}`)),
  )
}

function failure(code: number, status: string, message: string): EmulatorReply {
  return { status: code, body: { error: { code, message, status } } }
}
