import {
  type DirectionsPort,
  greatCircleMeters,
  nearbyTowns,
  type Place,
  type PlacesPort,
} from '@surehand/places'
import type { TownsPort } from '../../documents/towns-port.ts'
import type { DistancesPort, GeocoderPort, PoisPort } from '../maps-ports.ts'
import { formatMeasures } from './format-measures.ts'

/** Finds towns in the gazetteer. For a street it returns the town, with the precision 'town'. */
export function localGeocoder(places: PlacesPort): GeocoderPort {
  return {
    async geocode({ tenant, address }, signal) {
      const place = await places.resolve({ tenant, query: address }, signal)
      return place === null ? [] : [place]
    },
  }
}

const ACCURACY =
  'Estimated without a road network: 1.3 times the great circle between town centres, at typical speeds. On land, most routes are within 25 % of the distance and 35 % of the time; water and mountains can double both.'

/** Distances between towns by the great circle, as Distance Matrix JSON. */
export function localDistances(places: PlacesPort, directions: DirectionsPort): DistancesPort {
  return {
    async matrix({ tenant, origins, destinations, units }, signal) {
      const resolve = (query: string): Promise<Place | null> =>
        places.resolve({ tenant, query }, signal)
      const [from, to] = await Promise.all([
        Promise.all(origins.map(resolve)),
        Promise.all(destinations.map(resolve)),
      ])
      const measure = async (origin: Place | null, destination: Place | null) => {
        if (origin === null || destination === null) return { status: 'NOT_FOUND' as const }
        const trip = await directions.estimate(
          { tenant, origin: origin.location, destination: destination.location, mode: 'driving' },
          signal,
        )
        return { status: 'OK' as const, ...formatMeasures(trip, units) }
      }
      const rows = from.map(async (origin) => ({
        elements: await Promise.all(to.map((destination) => measure(origin, destination))),
      }))
      return {
        matrix: {
          status: 'OK',
          origin_addresses: from.map(addressOf),
          destination_addresses: to.map(addressOf),
          rows: await Promise.all(rows),
        },
        provider: 'great-circle',
        accuracy: ACCURACY,
      }
    },
  }
}

// As in Google's answer, the address of an unknown place is empty.
function addressOf(place: Place | null): string {
  return place?.formattedAddress ?? ''
}

/** Towns of the gazetteer instead of points of interest, labelled as `stub`. */
export function localPois(places: PlacesPort): PoisPort {
  return {
    async search({ tenant, destination, point, query, radiusMeters, limit }, signal) {
      const name = destination ?? query
      const place =
        point !== undefined || name === undefined
          ? null
          : await places.resolve({ tenant, query: name }, signal)
      const centre = point === undefined ? place?.location : { lat: point.lat, lng: point.lon }
      if (centre === undefined) return { pois: [], provider: 'stub' }
      const towns = await nearbyTowns({ centre, radiusMeters, limit })
      return {
        pois: towns.map(({ placeId, name, location, formattedAddress }) => ({
          placeId,
          name,
          lat: location.lat,
          lon: location.lng,
          types: ['locality', 'political'],
          formattedAddress,
        })),
        provider: 'stub',
      }
    },
  }
}

/** Towns of the gazetteer that this machine has. */
export function gazetteerTowns(): TownsPort {
  return {
    async within({ south, west, north, east, limit }) {
      const centre = { lat: (south + north) / 2, lng: (west + east) / 2 }
      const radiusMeters = greatCircleMeters(centre, { lat: north, lng: east })
      const towns = await nearbyTowns({ centre, radiusMeters, limit: limit * 4 })
      return towns
        .map(({ name, location: { lat, lng } }) => ({ name, lat, lon: lng }))
        .filter(({ lat, lon }) => lat >= south && lat <= north && lon >= west && lon <= east)
        .slice(0, limit)
    },
  }
}
