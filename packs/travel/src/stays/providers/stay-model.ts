import { Buffer } from 'node:buffer'
import type { Place } from '@surehand/places'
import { z } from 'zod'
import { toCurrency } from '../../providers/example-rates.ts'
import { seededChoice, seededInteger, seededNumber } from '../../providers/seeded-number.ts'
import { nightsOf } from '../stay-dates.ts'
import type { Amount, Cancellation, StayDates } from '../stays-port.ts'

const DAY_MS = 86_400_000
const FIRST = [
  'Old Town',
  'Riverside',
  'Garden',
  'Station',
  'Harbour',
  'Castle',
  'Market',
  'Park',
] as const
type StayKind = {
  readonly kind: string
  readonly roomType: string
  /** US dollars for one night in a town of middling prices. */
  readonly night: number
  readonly guests: number
}

const KINDS: readonly [StayKind, ...StayKind[]] = [
  { kind: 'Hotel', roomType: 'Double room', night: 118, guests: 3 },
  { kind: 'Guesthouse', roomType: 'Double room', night: 74, guests: 3 },
  { kind: 'Apartment', roomType: 'Entire apartment', night: 96, guests: 6 },
  { kind: 'Hostel', roomType: 'Private room', night: 46, guests: 4 },
  { kind: 'Aparthotel', roomType: 'Studio', night: 104, guests: 4 },
  { kind: 'Villa', roomType: 'Entire house', night: 240, guests: 16 },
]
const AMENITIES = ['wifi', 'kitchen', 'parking', 'laundry', 'breakfast', 'pool', 'gym'] as const
const MAX_OFFSET_DEGREES = 0.025
/** Of all nights, this part is booked by others. */
const BOOKED_PART = 0.06
const FREE_CANCELLATION_DAYS = 7

/** An example of a stay. The same town always has the same ones. */
export type ExampleStay = {
  readonly listingId: string
  /** In which its prices are quoted. */
  readonly currency: string
  readonly name: string
  readonly town: string
  readonly lat: number
  readonly lon: number
  readonly kind: StayKind
  readonly rating: number
  readonly reviewCount: number
  readonly amenities: readonly string[]
  readonly refundable: boolean
  /** The same in every currency. */
  readonly seed: string
}

export const STAYS_PER_TOWN = 14

// The id contains the town and the currency, so that a stay can be computed again without a search,
// and costs what the search showed.
const Identity = z.tuple([
  z.string().max(200),
  z.number().min(-90).max(90),
  z.number().min(-180).max(180),
  z
    .int()
    .min(0)
    .max(STAYS_PER_TOWN - 1),
  z.string().length(3).default('USD'),
])
type Identity = z.output<typeof Identity>

/** The stays of a town, with prices in this currency where its rate is known. */
export function exampleStays(place: Place, currency = 'USD'): readonly ExampleStay[] {
  const { lat, lng } = place.location
  return Array.from({ length: STAYS_PER_TOWN }, (_, index) =>
    createStay([place.formattedAddress, lat, lng, index, toCurrency(0, currency).currency]),
  )
}

/** The stay with this id; undefined where the id is not one of ours. */
export function findExampleStay(listingId: string): ExampleStay | undefined {
  try {
    const text = Buffer.from(listingId.replace(/^example_/, ''), 'base64url').toString('utf8')
    return listingId.startsWith('example_')
      ? createStay(Identity.parse(JSON.parse(text)))
      : undefined
  } catch {
    return undefined
  }
}

function createStay(identity: Identity): ExampleStay {
  const [town, lat, lng, index, currency] = identity
  const seed = JSON.stringify([town, lat, lng, index])
  const kind = seededChoice(KINDS, 'kind', seed)
  const offset = (axis: string): number => (seededNumber(axis, seed) * 2 - 1) * MAX_OFFSET_DEGREES
  return {
    listingId: `example_${Buffer.from(JSON.stringify(identity)).toString('base64url')}`,
    currency,
    name: `${seededChoice(FIRST, 'name', seed)} ${kind.kind} ${index + 1} (example)`,
    town,
    lat: round(lat + offset('lat'), 5),
    lon: round(lng + offset('lon'), 5),
    kind,
    rating: round(3.4 + 1.5 * seededNumber('rating', seed), 1),
    reviewCount: seededInteger(4, 900, 'reviews', seed),
    amenities: AMENITIES.filter((amenity) => seededNumber(amenity, seed) < 0.45),
    refundable: seededNumber('refundable', seed) < 0.65,
    seed,
  }
}

/** Is every night free? */
export function isAvailable({ seed, kind }: ExampleStay, dates: StayDates): boolean {
  return (
    dates.guests <= kind.guests &&
    nightDays(dates).every((day) => seededNumber('booked', seed, day) >= BOOKED_PART)
  )
}

/** The total of a stay in its currency, for all guests. It does not change from day to day. */
export function totalOf(stay: ExampleStay, dates: StayDates): Amount {
  const share = stay.kind.guests > 4 && dates.guests > 4 ? 1.25 : 1
  const level = 0.7 + 0.7 * seededNumber('level', stay.town) + (stay.rating - 4) * 0.2
  const sum = nightDays(dates).reduce(
    (total, day) => total + stay.kind.night * level * share * dayFactor(day, stay.lat),
    0,
  )
  return toCurrency(sum, stay.currency)
}

export function cancellationOf({ refundable }: ExampleStay, dates: StayDates): Cancellation {
  if (!refundable) return { refundable, terms: ['This rate is not refundable.'] }
  return {
    refundable,
    terms: [
      `Free cancellation until ${freeUntil(dates)} (UTC).`,
      'After that, nothing is refunded.',
    ],
  }
}

/** What a cancellation at this moment returns. */
export function refundAt(stay: ExampleStay, dates: StayDates, atMs: number): Amount {
  const isFree = stay.refundable && atMs < Date.parse(`${freeUntil(dates)}T00:00:00Z`)
  return isFree ? totalOf(stay, dates) : toCurrency(0, stay.currency)
}

function freeUntil({ checkin }: StayDates): string {
  return dayText(Date.parse(checkin) - FREE_CANCELLATION_DAYS * DAY_MS)
}

function nightDays(dates: StayDates): readonly string[] {
  return Array.from({ length: nightsOf(dates) }, (_, index) =>
    dayText(Date.parse(dates.checkin) + index * DAY_MS),
  )
}

function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

function dayFactor(day: string, lat: number): number {
  const month = Number(day.slice(5, 7))
  const isSummer = lat >= 0 ? month >= 6 && month <= 9 : month === 12 || month <= 3
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return (isSummer ? 1.3 : 0.95) * (weekday === 5 || weekday === 6 ? 1.12 : 1)
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
