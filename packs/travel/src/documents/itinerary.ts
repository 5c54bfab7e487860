import type { FlightOffer } from '../flights/flights-port.ts'
import type { TravelPlan } from '../plans/plan.ts'
import { countNights } from '../plans/plan.ts'
import type { BookedStay } from '../stays/stays-port.ts'
import { type Costs, planCosts } from './costs.ts'
import { readComponents, type ShownItem, type ShownStay } from './read-components.ts'

export type EntryKind = 'flight' | 'stay' | 'activity' | 'transport'

export type ItineraryEntry = {
  readonly kind: EntryKind
  /** The local time, as in 09:30. */
  readonly time?: string | undefined
  readonly title: string
  readonly detail?: string | undefined
  readonly url?: string | undefined
  readonly isBooked: boolean
  /** What the property asks for at arrival. */
  readonly reference?: string | undefined
}

export type ItineraryDay = { readonly date: string; readonly entries: readonly ItineraryEntry[] }

/** A plan as people read it: what happens on which day, what it costs, what is booked. */
export type Itinerary = {
  readonly plan: TravelPlan
  readonly nights: number
  readonly days: readonly ItineraryDay[]
  readonly costs: Costs
  readonly bookings: readonly BookedStay[]
  /** Offers that the plan keeps beside the ones it is made of. */
  readonly alternatives: readonly string[]
  readonly flight: FlightOffer | undefined
  /** The stays that the plan is made of and that are not booked. */
  readonly openStays: readonly PlannedStay[]
  readonly activities: readonly ShownItem[]
}

export type PlannedStay = ShownStay & { readonly checkin: string; readonly checkout: string }

const DAY_MS = 86_400_000
/** A plan may last years; a document does not. */
const MAX_DAYS = 366

/**
 * Lays a plan out by days. It is made of the first flight, and of the first stay for every night;
 * the others are alternatives.
 */
export function buildItinerary(plan: TravelPlan, allBookings: readonly BookedStay[]): Itinerary {
  const { flights, stays, activities, transportation } = readComponents(plan.components)
  const bookings = allBookings
    .filter((booking) => isOfPlan(booking, plan, stays))
    .toSorted((left, right) => left.checkin.localeCompare(right.checkin))
  const [flight, ...otherFlights] = flights
  const { chosen, otherStays } = chooseStays(plan, stays)
  const openStays = chosen.filter((stay) => !bookings.some((booking) => overlap(stay, booking)))
  const days = listDays(plan)
  const entries = [
    ...(flight === undefined ? [] : flightEntries(flight)),
    ...bookings.flatMap(bookedEntries),
    ...openStays.flatMap(openEntries),
    ...spreadActivities(activities, days),
    ...transportation.map((item) => toEntry(item, 'transport', item.date ?? plan.startDate)),
  ]
  return {
    plan,
    nights: countNights(plan),
    days: days.map((date) => ({
      date,
      entries: entries
        .filter((entry) => entry.date === date)
        .toSorted((left, right) => compareTimes(left.entry, right.entry))
        .map(({ entry }) => entry),
    })),
    costs: planCosts({ plan, flight, stays: openStays, activities, bookings }),
    bookings,
    alternatives: [...otherFlights.map(nameFlight), ...otherStays.map(({ name }) => name)],
    flight,
    openStays,
    activities,
  }
}

type Dated = { readonly date: string; readonly entry: ItineraryEntry }

/** A booking belongs to a plan if it is of one of its stays, or lies within its dates. */
function isOfPlan(booking: BookedStay, plan: TravelPlan, stays: readonly ShownStay[]): boolean {
  if (booking.status === 'cancelled') return false
  const isInside = booking.checkin >= plan.startDate && booking.checkout <= plan.endDate
  const isNamed = stays.some(({ listingId }) => listingId === booking.listingId)
  return isInside && (isNamed || stays.length === 0)
}

function listDays({ startDate, endDate }: TravelPlan): readonly string[] {
  const first = Date.parse(`${startDate}T00:00:00Z`)
  const count = Math.round((Date.parse(`${endDate}T00:00:00Z`) - first) / DAY_MS) + 1
  return Array.from({ length: Math.min(Math.max(count, 1), MAX_DAYS) }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  )
}

function flightEntries(offer: FlightOffer): readonly Dated[] {
  return offer.slices.flatMap(({ segments, origin, destination }) => {
    const [first] = segments
    const last = segments.at(-1)
    if (first === undefined || last === undefined) return []
    const stops = segments.length - 1
    const number = segments
      .map(({ marketing_carrier: carrier, marketing_carrier_flight_number: flight }) =>
        carrier?.iata_code == null
          ? `${carrier?.name ?? ''} ${flight ?? ''}`.trim()
          : `${carrier.iata_code}${flight ?? ''}`,
      )
      .filter((text) => text !== '')
      .join(', ')
    const arrival = `arrives ${last.arriving_at.slice(0, 16).replace('T', ' ')}`
    const via = stops === 0 ? 'direct' : `${stops} ${stops === 1 ? 'stop' : 'stops'}`
    return [
      {
        date: first.departing_at.slice(0, 10),
        entry: {
          kind: 'flight' as const,
          time: first.departing_at.slice(11, 16),
          title: `Flight ${origin.iata_code} – ${destination.iata_code}`,
          detail: [number, via, arrival].filter((part) => part !== '').join(', '),
          isBooked: false,
        },
      },
    ]
  })
}

function chooseStays({ startDate, endDate }: TravelPlan, stays: readonly ShownStay[]) {
  const chosen: PlannedStay[] = []
  const otherStays: PlannedStay[] = []
  for (const { checkin = startDate, checkout = endDate, ...rest } of stays) {
    const stay = { ...rest, checkin, checkout }
    ;(chosen.some((other) => overlap(other, stay)) ? otherStays : chosen).push(stay)
  }
  return { chosen, otherStays }
}

type Nights = Pick<PlannedStay, 'checkin' | 'checkout'>

function overlap(left: Nights, right: Nights): boolean {
  return left.checkin < right.checkout && right.checkin < left.checkout
}

function bookedEntries(booking: BookedStay): readonly Dated[] {
  const { name, address, checkin, checkout, reference, confirmation } = booking
  const as = confirmation ?? reference
  return stayPair({ name, detail: [address], checkin, checkout, isBooked: true, reference: as })
}

function openEntries({ name, address, checkin, checkout }: PlannedStay): readonly Dated[] {
  return stayPair({ name, detail: [address, 'not booked'], checkin, checkout, isBooked: false })
}

type StayPair = {
  readonly name: string
  readonly detail: readonly (string | undefined)[]
  readonly checkin: string
  readonly checkout: string
  readonly isBooked: boolean
  readonly reference?: string
}

function stayPair(pair: StayPair): readonly Dated[] {
  const { name, detail, checkin, checkout, isBooked, reference } = pair
  const common = {
    kind: 'stay' as const,
    detail: detail.filter((part) => part !== undefined).join(', '),
    isBooked,
    reference,
  }
  return [
    { date: checkin, entry: { ...common, title: `Check in: ${name}` } },
    { date: checkout, entry: { ...common, title: `Check out: ${name}` } },
  ]
}

/** Activities without a day are spread over the days between arrival and departure. */
function spreadActivities(
  activities: readonly ShownItem[],
  days: readonly string[],
): readonly Dated[] {
  const inner = days.length > 2 ? days.slice(1, -1) : days
  const free = activities.filter(({ date }) => date === undefined)
  const stride = Math.max(1, inner.length / Math.max(1, free.length))
  return activities.map((item) => {
    const position = Math.floor(free.indexOf(item) * stride) % inner.length
    return toEntry(item, 'activity', item.date ?? inner[position] ?? days[0] ?? '')
  })
}

function toEntry(item: ShownItem, kind: EntryKind, date: string): Dated {
  const { name, address, rating, time, url } = item
  const detail = [address, rating === undefined ? undefined : `rated ${rating}`]
  return {
    date,
    entry: {
      kind,
      time,
      title: name,
      detail: detail.filter((part) => part !== undefined).join(', '),
      url,
      isBooked: false,
    },
  }
}

// Without a time: a check-out first, because a flight may leave early, a check-in in the afternoon,
// activities between them.
function compareTimes(left: ItineraryEntry, right: ItineraryEntry): number {
  return sortKey(left).localeCompare(sortKey(right))
}

function sortKey({ time, kind, title }: ItineraryEntry): string {
  if (time !== undefined) return time
  if (kind === 'stay') return title.startsWith('Check out') ? '00:00' : '15:00'
  return '12:00'
}

function nameFlight({ owner, total_amount, total_currency, slices }: FlightOffer): string {
  const [slice] = slices
  const route = `${slice?.origin.iata_code} – ${slice?.destination.iata_code}`
  return `Flight ${route} with ${owner?.name ?? 'another airline'}, ${total_amount} ${total_currency}`
}
