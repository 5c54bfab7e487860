export {
  type DirectionsPort,
  directionsPort,
  type TravelMode,
  type TripEstimate,
  type TripQuery,
} from './directions-port.ts'
export { googlePlaces } from './google-places.ts'
export { googleRoutes } from './google-routes.ts'
export { googleTimeZones } from './google-time-zones.ts'
export { greatCircleMeters } from './great-circle.ts'
export { LatLng } from './lat-lng.ts'
export { localDirections } from './local-directions.ts'
export { localPlaces } from './local-places.ts'
export { localTimeZones } from './local-time-zones.ts'
export { type NearbyTown, nearbyTowns } from './nearby-towns.ts'
export { offsetSecondsAt } from './offset-seconds-at.ts'
export { type Place, type PlaceQuery, type PlacesPort, placesPort } from './places-port.ts'
export { type TimeZonesPort, timeZonesPort, type Zone, type ZoneQuery } from './time-zones-port.ts'
