import type { GeocoderPort } from '../maps/maps-ports.ts'
import type { TravelContext } from '../travel-context.ts'
import type { Itinerary } from './itinerary.ts'
import { type MapPoint, mapArea } from './plan-map.ts'
import type { PageMap } from './plan-page.ts'
import type { TownsPort } from './towns-port.ts'

const MAX_TOWNS = 40
/** More points than that cannot be told apart on a page. */
const MAX_POINTS = 20

export type MapPorts = { readonly geocoder: GeocoderPort; readonly towns: TownsPort }

/** The maps of a plan: the journey with its airports and destinations, and the places on site. */
export async function planMaps(
  itinerary: Itinerary,
  context: TravelContext,
  { ports, signal }: { readonly ports: MapPorts; readonly signal: AbortSignal },
): Promise<readonly PageMap[]> {
  const destinations = await findDestinations(itinerary, context, { ports, signal })
  const airports = airportPoints(itinerary)
  const onSite = [...stayPoints(itinerary), ...activityPoints(itinerary)].slice(0, MAX_POINTS)
  const journey = [...airports, ...destinations]
  const maps = [
    { title: 'The journey', points: journey, isRoute: journey.length > 1 },
    ...groupByTown(onSite, destinations),
  ]
  return Promise.all(
    maps
      // One point alone says nothing beside a map of the places on site.
      .filter(({ points }) => points.length > (onSite.length > 0 && points === journey ? 1 : 0))
      .map(async (map) => {
        const area = mapArea(map.points)
        const towns =
          area === undefined
            ? []
            : await ports.towns.within({ ...area, limit: MAX_TOWNS }, signal).catch(() => [])
        return { ...map, towns: towns.filter(({ name }) => !isNamed(name, map.points)) }
      }),
  )
}

/** One map for the places of each destination: on a map of all, those of a town would be one spot. */
function groupByTown(onSite: readonly MapPoint[], destinations: readonly MapPoint[]) {
  if (destinations.length < 2) return [{ title: 'On site', points: onSite, isRoute: false }]
  const groups = Map.groupBy(onSite, (point) =>
    destinations.reduce((nearest, one) =>
      squareDistance(one, point) < squareDistance(nearest, point) ? one : nearest,
    ),
  )
  return destinations.map((town) => ({
    title: `In ${town.label}`,
    points: groups.get(town) ?? [],
    isRoute: false,
  }))
}

function squareDistance(left: MapPoint, right: MapPoint): number {
  const east = (left.lon - right.lon) * Math.cos((left.lat * Math.PI) / 180)
  return (left.lat - right.lat) ** 2 + east ** 2
}

// A place that cannot be found is left out of the map; the plan still shows its name.
async function findDestinations(
  { plan }: Itinerary,
  context: TravelContext,
  { ports, signal }: { readonly ports: MapPorts; readonly signal: AbortSignal },
): Promise<readonly MapPoint[]> {
  const found = await Promise.all(
    plan.destinations.slice(0, MAX_POINTS).map(async (destination) => {
      const places = await ports.geocoder
        .geocode({ ...context, address: destination }, signal)
        .catch(() => [])
      const [place] = places
      return place === undefined
        ? []
        : [
            {
              lat: place.location.lat,
              lon: place.location.lng,
              label: destination,
              kind: 'destination' as const,
            },
          ]
    }),
  )
  signal.throwIfAborted()
  return found.flat()
}

function airportPoints({ flight }: Itinerary): readonly MapPoint[] {
  const [outbound] = flight?.slices ?? []
  const { origin } = outbound ?? {}
  const { latitude: lat, longitude: lon } = origin ?? {}
  if (origin === undefined || typeof lat !== 'number' || typeof lon !== 'number') return []
  return [{ lat, lon, label: `${origin.iata_code} ${origin.name ?? ''}`.trim(), kind: 'airport' }]
}

function stayPoints({ openStays, bookings }: Itinerary): readonly MapPoint[] {
  const booked = bookings.map(({ name, lat, lon }) => ({
    name,
    at: lat === undefined || lon === undefined ? undefined : { lat, lon },
  }))
  return [...booked, ...openStays].flatMap(({ name, at }) =>
    at === undefined ? [] : [{ ...at, label: name, kind: 'stay' as const }],
  )
}

function activityPoints({ activities }: Itinerary): readonly MapPoint[] {
  return activities.flatMap(({ name, at }) =>
    at === undefined ? [] : [{ ...at, label: name, kind: 'activity' as const }],
  )
}

function isNamed(name: string, points: readonly MapPoint[]): boolean {
  return points.some(({ label }) => label.toLowerCase().includes(name.toLowerCase()))
}
