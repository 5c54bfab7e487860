import { greatCircleMeters, type LatLng } from '@surehand/places'

export type Airport = LatLng & {
  readonly code: string
  readonly icao: string
  readonly name: string
  readonly country: string
  readonly timeZone: string
  /** 1: a small airport with scheduled flights; 2: a large one; 3: one with much traffic. */
  readonly size: 1 | 2 | 3
}

export type Airports = {
  /** The airports of an IATA code of an airport or a city, the largest first. */
  readonly named: (code: string) => readonly Airport[]
  /** The airport that travellers to a point most probably use. */
  readonly near: (point: LatLng) => Airport | undefined
  readonly hubs: readonly Airport[]
}

const MAX_DISTANCE_METERS = 120_000
/** Passengers in millions from which connections are offered. */
const HUB_PASSENGERS = 20
/** Passengers in millions from which an airport has flights to other continents. */
const BUSY_PASSENGERS = 10

/** Loads the airports of the world with scheduled flights, which takes about 0.4 s. */
export async function loadAirports(): Promise<Airports> {
  const { default: data } = await import('airport-data-js')
  const airports = (await data.findAirports({}))
    // The data has the texts TRUE and FALSE.
    .filter((one) => /^true$/i.test(String(one.scheduled_service)) && /^[A-Z]{3}$/.test(one.iata))
    .map(toAirport)
  const byCode = new Map(airports.map((airport) => [airport.code, airport]))
  return {
    named: (code) =>
      [...(CITY_AIRPORTS.get(code) ?? []), code].flatMap((one) => byCode.get(one) ?? []),
    near: (point) => findNear(point, airports),
    hubs: airports.filter(({ code }) => (HUBS.get(code) ?? 0) >= HUB_PASSENGERS),
  }
}

type RawAirport = import('airport-data-js').Airport

function toAirport(raw: RawAirport): Airport {
  return {
    code: raw.iata,
    icao: raw.icao,
    name: raw.airport,
    country: raw.country_code,
    timeZone: raw.time,
    lat: raw.latitude,
    lng: raw.longitude,
    size: sizeOf(raw),
  }
}

function sizeOf({ iata, type }: RawAirport): Airport['size'] {
  if ((HUBS.get(iata) ?? 0) >= BUSY_PASSENGERS) return 3
  return type === 'large_airport' ? 2 : 1
}

// Traffic counts more than distance: to London one flies to Heathrow, not to the City airport.
function findNear(point: LatLng, airports: readonly Airport[]): Airport | undefined {
  let best: { readonly airport: Airport; readonly score: number } | undefined
  for (const airport of airports) {
    // A degree of latitude is 111 km everywhere; this skips most of the world.
    if (Math.abs(airport.lat - point.lat) > 1.2) continue
    const meters = greatCircleMeters(point, airport)
    if (meters > MAX_DISTANCE_METERS) continue
    const passengers = HUBS.get(airport.code) ?? airport.size
    const score = passengers / (1 + meters / 20_000)
    if (best === undefined || score > best.score) best = { airport, score }
  }
  return best?.airport
}

// table

/**
 * Airports with much traffic, with passengers of a year in millions: rounded figures that the airports
 * published for 2023 and 2024. They decide which of several airports a town has, and where connections
 * are likely.
 */
const HUBS: ReadonlyMap<string, number> = new Map([
  ['ATL', 105],
  ['DXB', 87],
  ['DFW', 82],
  ['HND', 79],
  ['LHR', 79],
  ['DEN', 78],
  ['IST', 76],
  ['LAX', 75],
  ['ORD', 74],
  ['DEL', 72],
  ['CDG', 67],
  ['JFK', 62],
  ['CAN', 63],
  ['AMS', 62],
  ['MAD', 60],
  ['FRA', 59],
  ['SIN', 59],
  ['MCO', 58],
  ['LAS', 58],
  ['CLT', 53],
  ['MIA', 52],
  ['ICN', 56],
  ['BCN', 50],
  ['SEA', 51],
  ['BKK', 52],
  ['PVG', 54],
  ['PEK', 53],
  ['SFO', 50],
  ['EWR', 49],
  ['PHX', 49],
  ['BOM', 52],
  ['CGK', 49],
  ['MEX', 48],
  ['IAH', 46],
  ['HKG', 46],
  ['DOH', 46],
  ['YYZ', 45],
  ['KUL', 47],
  ['JED', 43],
  ['LGW', 41],
  ['BOS', 41],
  ['GRU', 41],
  ['FCO', 41],
  ['MNL', 45],
  ['SYD', 39],
  ['BOG', 40],
  ['TPE', 35],
  ['MUC', 37],
  ['NRT', 33],
  ['MEL', 33],
  ['LIS', 34],
  ['DUB', 33],
  ['PMI', 31],
  ['ORY', 32],
  ['VIE', 30],
  ['ZRH', 29],
  ['ATH', 28],
  ['CPH', 28],
  ['MAN', 28],
  ['STN', 28],
  ['CAI', 26],
  ['BRI', 6],
  ['OSL', 25],
  ['BER', 24],
  ['MXP', 26],
  ['YVR', 25],
  ['BRU', 23],
  ['ARN', 21],
  ['DUS', 19],
  ['HEL', 15],
  ['WAW', 19],
  ['OPO', 15],
  ['LTN', 16],
  ['BUD', 15],
  ['PRG', 14],
  ['HAM', 14],
  ['GVA', 17],
  ['NCE', 14],
  ['LYS', 10],
  ['VCE', 11],
  ['NAP', 12],
  ['EDI', 14],
  ['FAO', 10],
  ['AGP', 22],
  ['VLC', 10],
  ['SVQ', 8],
  ['CMN', 10],
  ['RAK', 8],
  ['ADD', 12],
  ['NBO', 8],
  ['JNB', 18],
  ['CPT', 10],
  ['LOS', 6],
  ['KGL', 1],
  ['TLV', 21],
  ['AUH', 23],
  ['RUH', 37],
  ['BLR', 37],
  ['AKL', 18],
  ['PER', 16],
  ['BNE', 22],
  ['LIM', 24],
  ['SCL', 23],
  ['EZE', 11],
  ['GIG', 13],
  ['PTY', 17],
  ['CUN', 32],
  ['IAD', 25],
  ['PHL', 28],
  ['DTW', 31],
  ['MSP', 35],
  ['SLC', 27],
  ['SAN', 24],
  ['HNL', 21],
  ['YUL', 21],
  ['KIX', 26],
  ['KEF', 8],
])

/** The airports of a city code, the one with the most traffic first. */
const CITY_AIRPORTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['LON', ['LHR', 'LGW', 'STN', 'LTN', 'LCY']],
  ['NYC', ['JFK', 'EWR', 'LGA']],
  ['PAR', ['CDG', 'ORY']],
  ['MIL', ['MXP', 'LIN', 'BGY']],
  ['ROM', ['FCO', 'CIA']],
  ['TYO', ['HND', 'NRT']],
  ['OSA', ['KIX', 'ITM']],
  ['SEL', ['ICN', 'GMP']],
  ['BJS', ['PEK', 'PKX']],
  ['CHI', ['ORD', 'MDW']],
  ['WAS', ['IAD', 'DCA', 'BWI']],
  ['BUE', ['EZE', 'AEP']],
  ['SAO', ['GRU', 'CGH', 'VCP']],
  ['RIO', ['GIG', 'SDU']],
  ['STO', ['ARN', 'BMA', 'NYO']],
  ['YTO', ['YYZ', 'YTZ']],
  ['YMQ', ['YUL']],
  ['JKT', ['CGK', 'HLP']],
  ['REK', ['KEF', 'RKV']],
])
