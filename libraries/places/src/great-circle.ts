import type { LatLng } from './lat-lng.ts'

const EARTH_RADIUS_METERS = 6_371_008.8

/** The distance on the surface of the earth, by the haversine formula. */
export function greatCircleMeters(from: LatLng, to: LatLng): number {
  const [lat1, lat2] = [radians(from.lat), radians(to.lat)]
  const half =
    Math.sin((lat2 - lat1) / 2) ** 2 +
    Math.cos(lat1) * Math.cos(lat2) * Math.sin(radians(to.lng - from.lng) / 2) ** 2
  return Math.round(2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(half))))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
