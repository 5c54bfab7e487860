import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'

type Known = {
  readonly id: string
  readonly text: string
  readonly address: string
  readonly latitude: number
  readonly longitude: number
}

// For any other place the answer is an empty object, as Google's is.
const WORLD: readonly Known[] = [
  {
    id: 'ChIJIQBpAG2ahYAR_6128GcTUEo',
    text: 'San Francisco',
    address: 'San Francisco, CA, USA',
    latitude: 37.7749,
    longitude: -122.4194,
  },
  {
    id: 'ChIJY_dFYHKHhYARMKc772iLvnE',
    text: 'Golden Gate Park',
    address: 'San Francisco, CA, USA',
    latitude: 37.7694,
    longitude: -122.4862,
  },
  {
    id: 'ChIJ2V-Mo_l1nkcRfZixfUq4DAE',
    text: 'München',
    address: 'München, Deutschland',
    latitude: 48.1351,
    longitude: 11.582,
  },
  {
    id: 'ChIJAVkDPzdOqEcRcDteW0YgIQQ',
    text: 'Berlin',
    address: 'Berlin, Deutschland',
    latitude: 52.52,
    longitude: 13.405,
  },
]

/**
 * Text Search of Google's Places API (New) with four places. The field mask selects the fields of an
 * answer; a request without one is refused.
 */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/v1/places:searchText', handle: searchText },
]

function searchText(request: EmulatorRequest): EmulatorReply {
  if (request.headers['x-goog-api-key'] === undefined)
    return failure(403, 'PERMISSION_DENIED', 'The request is missing a valid API key.')
  const mask = request.headers['x-goog-fieldmask']
  if (mask === undefined)
    return failure(400, 'INVALID_ARGUMENT', 'FieldMask is a required parameter.')
  const { textQuery = '', pageSize = 20 } = request.json() as {
    readonly textQuery?: string
    readonly pageSize?: number
  }
  if (textQuery === '') return failure(400, 'INVALID_ARGUMENT', 'Empty text_query.')
  const query = textQuery.toLowerCase()
  const found = WORLD.filter(({ text }) => query.includes(text.toLowerCase())).slice(0, pageSize)
  return {
    body:
      found.length === 0
        ? {}
        : { places: found.map((place) => applyFieldMask(place, mask.split(','))) },
  }
}

function applyFieldMask(
  { id, text, address, latitude, longitude }: Known,
  fields: readonly string[],
): object {
  const whole: Readonly<Record<string, unknown>> = {
    id,
    displayName: { text, languageCode: 'en' },
    formattedAddress: address,
    location: { latitude, longitude },
  }
  return Object.fromEntries(
    Object.entries(whole).filter(
      ([name]) => fields.includes(`places.${name}`) || fields.includes('*'),
    ),
  )
}

function failure(code: number, status: string, message: string): EmulatorReply {
  return { status: code, body: { error: { code, message, status } } }
}
