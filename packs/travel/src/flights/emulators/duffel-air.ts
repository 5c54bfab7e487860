import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { refuse, requireToken } from '../../stays/emulators/duffel-stays.ts'

/** Duffel's flights API v2 between seven airports. Every offer is of Duffel Airways, its test airline. */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/air/offer_requests', handle: requireToken(createOfferRequest) },
  { method: 'POST', path: '/air/offer_requests/', handle: requireToken(createOfferRequest) },
  { method: 'GET', path: '/places/suggestions', handle: requireToken(suggestPlaces) },
]

const AIRPORTS = [
  ['BER', 'Berlin Brandenburg Airport', 'Berlin', 'DE', 'Europe/Berlin', 52.3667, 13.5033],
  ['LIS', 'Humberto Delgado Airport', 'Lisbon', 'PT', 'Europe/Lisbon', 38.7742, -9.1342],
  ['LHR', 'Heathrow Airport', 'London', 'GB', 'Europe/London', 51.47, -0.4543],
  [
    'JFK',
    'John F. Kennedy International Airport',
    'New York',
    'US',
    'America/New_York',
    40.6413,
    -73.7781,
  ],
  ['FRA', 'Frankfurt Airport', 'Frankfurt', 'DE', 'Europe/Berlin', 50.0379, 8.5622],
  ['OPO', 'Francisco Sá Carneiro Airport', 'Porto', 'PT', 'Europe/Lisbon', 41.2481, -8.6814],
  [
    'MAD',
    'Adolfo Suárez Madrid–Barajas Airport',
    'Madrid',
    'ES',
    'Europe/Madrid',
    40.4983,
    -3.5676,
  ],
] as const
const AIRLINE = {
  id: 'arl_00009VME7D6ivUu8dn35WK',
  name: 'Duffel Airways',
  iata_code: 'ZZ',
  logo_symbol_url:
    'https://assets.duffel.com/img/airlines/for-light-background/full-color-logo/ZZ.svg',
  logo_lockup_url: null,
  conditions_of_carriage_url: null,
}

type Slice = {
  readonly origin: string
  readonly destination: string
  readonly departure_date: string
}

function toAirport(code: string): object | undefined {
  const known = AIRPORTS.find(([one]) => one === code)
  if (known === undefined) return undefined
  const [iata, name, city, country, timeZone, latitude, longitude] = known
  return {
    type: 'airport',
    id: `arp_${iata.toLowerCase()}_${country.toLowerCase()}`,
    iata_code: iata,
    icao_code: null,
    iata_country_code: country,
    iata_city_code: iata,
    name,
    city_name: city,
    city: null,
    time_zone: timeZone,
    latitude,
    longitude,
  }
}

function createOfferRequest(request: EmulatorRequest): EmulatorReply {
  const { data = {} } = request.json() as {
    data?: {
      slices?: readonly Slice[]
      passengers?: readonly { readonly type?: string; readonly age?: number }[]
      cabin_class?: string
    }
  }
  const { slices = [], passengers = [], cabin_class = 'economy' } = data
  if (slices.length === 0 || passengers.length === 0)
    return refuse(422, 'validation_required', 'Field slices and passengers must not be empty.')
  const codes = slices.flatMap(({ origin, destination }) => [origin, destination])
  const unknown = codes.find((code) => toAirport(code) === undefined)
  if (unknown !== undefined)
    return refuse(422, 'not_found', `The place with the IATA code ${unknown} was not found.`)
  const people = passengers.map((one, index) => ({
    type: one.type ?? null,
    age: one.age ?? null,
    id: `pas_${index + 1}`,
    given_name: null,
    family_name: null,
    loyalty_programme_accounts: [],
    fare_type: null,
  }))
  const offers = [0, 1, 2].map((index) => toOffer(index, { slices, people, cabin_class }))
  const created_at = new Date().toISOString()
  return {
    status: 201,
    body: {
      data: {
        id: 'orq_1',
        live_mode: false,
        created_at,
        cabin_class,
        passengers: people,
        slices: slices.map((slice) => ({
          origin: toAirport(slice.origin),
          origin_type: 'airport',
          destination: toAirport(slice.destination),
          destination_type: 'airport',
          departure_date: slice.departure_date,
        })),
        // The default of the parameter is true.
        ...(request.query.get('return_offers') === 'false' ? {} : { offers }),
      },
    },
  }
}

type Search = {
  readonly slices: readonly Slice[]
  readonly people: readonly { readonly id: string }[]
  readonly cabin_class: string
}

function toOffer(index: number, { slices, people, cabin_class }: Search): object {
  const total = (90 + index * 35) * slices.length * people.length
  const now = Date.now()
  return {
    id: `off_${index + 1}`,
    live_mode: false,
    partial: false,
    created_at: new Date(now).toISOString(),
    updated_at: new Date(now).toISOString(),
    expires_at: new Date(now + 1_800_000).toISOString(),
    owner: AIRLINE,
    total_amount: total.toFixed(2),
    total_currency: 'GBP',
    base_amount: (total * 0.8).toFixed(2),
    base_currency: 'GBP',
    tax_amount: (total * 0.2).toFixed(2),
    tax_currency: 'GBP',
    total_emissions_kg: '120',
    passengers: people,
    private_fares: [],
    passenger_identity_documents_required: false,
    supported_passenger_identity_document_types: [],
    supported_loyalty_programmes: [],
    payment_requirements: {
      requires_instant_payment: true,
      price_guarantee_expires_at: null,
      payment_required_by: null,
    },
    conditions: { refund_before_departure: null, change_before_departure: null },
    available_services: null,
    slices: slices.map((slice, position) =>
      toSlice(slice, `${index}${position}`, { people, cabin_class }),
    ),
  }
}

function toSlice(
  { origin, destination, departure_date }: Slice,
  id: string,
  { people, cabin_class }: Pick<Search, 'people' | 'cabin_class'>,
): object {
  const ends = {
    origin: toAirport(origin),
    destination: toAirport(destination),
    duration: 'PT3H20M',
  }
  return {
    ...ends,
    id: `sli_${id}`,
    origin_type: 'airport',
    destination_type: 'airport',
    fare_brand_name: 'Basic',
    comparison_key: 'BmlZDw==',
    ngs_shelf: 1,
    conditions: { change_before_departure: null },
    segments: [
      {
        ...ends,
        id: `seg_${id}`,
        origin_terminal: null,
        destination_terminal: null,
        departing_at: `${departure_date}T0${id.at(0)}:30:00`,
        arriving_at: `${departure_date}T1${id.at(0)}:50:00`,
        distance: '2312.4',
        stops: [],
        aircraft: { id: 'arc_1', name: 'Airbus A320', iata_code: '320' },
        marketing_carrier: AIRLINE,
        marketing_carrier_flight_number: `00${id}`,
        operating_carrier: AIRLINE,
        operating_carrier_flight_number: `00${id}`,
        passengers: people.map(({ id: passenger_id }) => ({
          passenger_id,
          cabin_class,
          cabin_class_marketing_name: cabin_class,
          fare_basis_code: 'Y20LGTN2',
          baggages: [{ type: 'carry_on', quantity: 1 }],
          cabin: { name: cabin_class, marketing_name: cabin_class, amenities: null },
        })),
      },
    ],
  }
}

function suggestPlaces({ query }: EmulatorRequest): EmulatorReply {
  const text = (query.get('query') ?? query.get('name') ?? '').toLowerCase()
  if (text === '') return refuse(422, 'validation_required', 'Field query must not be empty.')
  const found = AIRPORTS.filter(([code, , city]) =>
    [code.toLowerCase(), city.toLowerCase()].some(
      (one) => one.startsWith(text) || text.startsWith(one),
    ),
  )
  return { body: { data: found.map(([code]) => ({ ...toAirport(code), airports: null })) } }
}
