import type { LatLng } from './lat-lng.ts'
import { findTimeZone } from './local-time-zones.ts'

// Zones of South America: between it and Panama there is no road.
const SOUTH_AMERICA =
  /^America\/(?:Argentina\/.*|Araguaina|Asuncion|Bahia|Belem|Boa_Vista|Bogota|Campo_Grande|Caracas|Cayenne|Coyhaique|Cuiaba|Eirunepe|Fortaleza|Guayaquil|Guyana|La_Paz|Lima|Maceio|Manaus|Montevideo|Paramaribo|Porto_Velho|Punta_Arenas|Recife|Rio_Branco|Santarem|Santiago|Sao_Paulo)$/

// Islands whose zone does not begin with the name of an ocean. Great Britain has the tunnel, and
// Ireland, Sicily and Sri Lanka are near enough to be ferry trips of a car.
const ISLANDS =
  /^(?:America\/(?:Anguilla|Antigua|Aruba|Barbados|Curacao|Dominica|Grenada|Guadeloupe|Havana|Jamaica|Martinique|Nassau|Nuuk|Port-au-Prince|Port_of_Spain|Puerto_Rico|Santo_Domingo|St_.*|Tortola)|Asia\/(?:Jakarta|Jayapura|Makassar|Manila|Pontianak|Taipei|Tokyo)|Arctic\/.*)$/

/**
 * The land that one can drive around on: a continent with its bridges and tunnels, or an island.
 * Undefined in the open sea and where it is not known.
 */
export async function landmassOf(point: LatLng): Promise<string | undefined> {
  const zone = await findTimeZone(point)
  if (zone.startsWith('Etc/')) return undefined
  if (ISLANDS.test(zone)) return zone
  if (SOUTH_AMERICA.test(zone)) return 'South America'
  const [region] = zone.split('/')
  switch (region) {
    case 'Europe':
    case 'Asia':
    case 'Africa':
      return 'Europe, Asia and Africa'
    case 'America':
      return 'North America'
    case 'Australia':
      return 'Australia'
    case 'Pacific':
    case 'Atlantic':
    case 'Indian':
      return zone
    default:
      return undefined
  }
}
