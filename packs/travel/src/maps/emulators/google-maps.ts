import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'

/**
 * Google's Geocoding API, Text Search of Places (New) and the route matrix of Routes, with two towns
 * of Portugal. In reality they are three hosts.
 */
export const routes: readonly EmulatorRoute[] = [
  { method: 'GET', path: '/maps/api/geocode/json', handle: geocode },
  { method: 'POST', path: '/v1/places:searchText', handle: searchText },
  { method: 'POST', path: '/distanceMatrix/v2:computeRouteMatrix', handle: routeMatrix },
]

const TOWNS = [
  { id: 'ChIJO_PkYRozGQ0R0DaQ5L3rAAQ', name: 'Lisbon', lat: 38.7222524, lng: -9.1393366 },
  { id: 'ChIJwVPhxKtlJA0RvBSxQFbZSKY', name: 'Porto', lat: 41.1579438, lng: -8.629105 },
] as const

const POIS = [
  {
    id: 'poi-1',
    name: 'Castelo de São Jorge',
    lat: 38.7139,
    lng: -9.1335,
    rating: 4.4,
    count: 90_000,
  },
  {
    id: 'poi-2',
    name: 'Museu Nacional do Azulejo',
    lat: 38.7248,
    lng: -9.1136,
    rating: 4.6,
    count: 20_000,
  },
  {
    id: 'poi-3',
    name: 'Miradouro da Graça',
    lat: 38.7163,
    lng: -9.1318,
    rating: 4.7,
    count: 15_000,
  },
  {
    id: 'poi-4',
    name: 'Torre dos Clérigos',
    lat: 41.1458,
    lng: -8.6139,
    rating: 4.6,
    count: 60_000,
  },
] as const

function findTown(text: string) {
  return TOWNS.find(({ name }) => text.toLowerCase().includes(name.toLowerCase()))
}

function geocode({ query }: EmulatorRequest): EmulatorReply {
  if ((query.get('key') ?? '') === '')
    return {
      body: {
        error_message:
          'You must use an API key to authenticate each request to Google Maps Platform APIs.',
        results: [],
        status: 'REQUEST_DENIED',
      },
    }
  const address = query.get('address') ?? ''
  if (address === '') return { body: { results: [], status: 'INVALID_REQUEST' } }
  const town = findTown(address)
  if (town === undefined) return { body: { results: [], status: 'ZERO_RESULTS' } }
  const isWhole = address.toLowerCase().startsWith(town.name.toLowerCase())
  return {
    body: {
      results: [
        {
          address_components: [
            { long_name: town.name, short_name: town.name, types: ['locality', 'political'] },
          ],
          formatted_address: `${town.name}, Portugal`,
          geometry: { location: { lat: town.lat, lng: town.lng }, location_type: 'APPROXIMATE' },
          ...(isWhole ? {} : { partial_match: true }),
          place_id: town.id,
          types: ['locality', 'political'],
        },
      ],
      status: 'OK',
    },
  }
}

function failure(code: number, status: string, message: string): EmulatorReply {
  return { status: code, body: { error: { code, message, status } } }
}

function checkHeaders(request: EmulatorRequest): EmulatorReply | undefined {
  if (request.headers['x-goog-api-key'] === undefined)
    return failure(403, 'PERMISSION_DENIED', 'The request is missing a valid API key.')
  if (request.headers['x-goog-fieldmask'] === undefined)
    return failure(400, 'INVALID_ARGUMENT', 'FieldMask is a required parameter.')
  return undefined
}

function searchText(request: EmulatorRequest): EmulatorReply {
  const refused = checkHeaders(request)
  if (refused !== undefined) return refused
  const { textQuery = '', pageSize = 20 } = request.json() as {
    textQuery?: string
    pageSize?: number
  }
  if (textQuery === '') return failure(400, 'INVALID_ARGUMENT', 'Empty text_query.')
  if (pageSize > 20) return failure(400, 'INVALID_ARGUMENT', 'page_size must be at most 20.')
  const fields = (request.headers['x-goog-fieldmask'] ?? '').split(',')
  const places = POIS.slice(0, pageSize).map(({ id, name, lat, lng, rating, count }) => {
    const whole = {
      id,
      displayName: { text: name, languageCode: 'pt' },
      location: { latitude: lat, longitude: lng },
      types: ['tourist_attraction', 'point_of_interest', 'establishment'],
      rating,
      userRatingCount: count,
      formattedAddress: `${name}, Portugal`,
      googleMapsUri: `https://maps.google.com/?cid=${id}`,
      currentOpeningHours: { openNow: true },
      internationalPhoneNumber: '+351 000',
    }
    return Object.fromEntries(
      Object.entries(whole).filter(([field]) =>
        fields.some((one) => one === `places.${field}` || one.startsWith(`places.${field}.`)),
      ),
    )
  })
  return { body: { places } }
}

type Waypoint = { readonly waypoint?: { readonly address?: string } }

function routeMatrix(request: EmulatorRequest): EmulatorReply {
  const refused = checkHeaders(request)
  if (refused !== undefined) return refused
  const { origins = [], destinations = [] } = request.json() as {
    origins?: readonly Waypoint[]
    destinations?: readonly Waypoint[]
  }
  if (origins.length * destinations.length === 0)
    return failure(400, 'INVALID_ARGUMENT', 'Origins and destinations must be set.')
  const elements = origins.flatMap((origin, originIndex) =>
    destinations.map((destination, destinationIndex) => {
      const [from, to] = [origin, destination].map((one) => findTown(one.waypoint?.address ?? ''))
      const place = { originIndex, destinationIndex }
      if (from === undefined || to === undefined)
        return { ...place, status: { code: 5, message: 'Not found.' } }
      const isSame = from === to
      return {
        ...place,
        status: {},
        distanceMeters: isSame ? 0 : 313_412,
        duration: isSame ? '0s' : '11100s',
        condition: 'ROUTE_EXISTS',
      }
    }),
  )
  // Google streams the elements as they are computed, in no order.
  return { body: elements.toReversed() }
}
