import { type CalendarEvent, writeCalendar } from '@surehand/icalendar'
import type { FlightOffer } from '../flights/flights-port.ts'
import type { BookedStay } from '../stays/stays-port.ts'
import type { Itinerary, ItineraryEntry } from './itinerary.ts'

/**
 * A plan as an iCalendar file: the whole trip, its flights in the zones of their airports, its
 * stays, and its activities.
 */
export function planCalendar(itinerary: Itinerary, nowMs: number): string {
  const { plan, flight, openStays, bookings, days } = itinerary
  const uid = (part: string): string => `${plan.planId}-${part}@travel.surehand`
  const common = { kind: 'event' as const, updated: plan.updatedAt }
  const wholeDays = (start: string, end: string) => ({
    start: { kind: 'date' as const, date: start },
    end: { kind: 'date' as const, date: end },
  })
  const trip: CalendarEvent = {
    ...common,
    uid: uid('trip'),
    summary: plan.title,
    location: plan.destinations.join(', '),
    status: plan.status === 'draft' ? 'tentative' : 'confirmed',
    ...wholeDays(plan.startDate, nextDay(plan.endDate)),
  }
  const stays: readonly CalendarEvent[] = [
    ...bookings.map((booking) => ({ ...common, uid: uid(booking.reference), ...toStay(booking) })),
    ...openStays.map(({ name, address, checkin, checkout }, index) => ({
      ...common,
      uid: uid(index === 0 ? 'stay' : `stay-${index + 1}`),
      summary: name,
      description: 'Not booked.',
      status: 'tentative' as const,
      ...(address === undefined ? {} : { location: address }),
      ...wholeDays(checkin, checkout),
    })),
  ]
  const activities = days.flatMap(({ date, entries }) =>
    entries
      .filter(({ kind }) => kind === 'activity' || kind === 'transport')
      .map((entry, index) => ({
        ...common,
        uid: uid(`${date}-${index}`),
        ...toActivity(date, entry),
      })),
  )
  const flights = flight === undefined ? [] : flightEvents(flight, uid)
  return writeCalendar([trip, ...flights, ...stays, ...activities], {
    prodId: '-//Surehand//travel//EN',
    name: plan.title,
    now: nowMs,
  })
}

function toStay({ name, address, checkin, checkout, reference, confirmation }: BookedStay) {
  return {
    summary: name,
    description: `Booked as ${confirmation ?? reference}.`,
    status: 'confirmed' as const,
    ...(address === undefined ? {} : { location: address }),
    start: { kind: 'date' as const, date: checkin },
    end: { kind: 'date' as const, date: checkout },
  }
}

function toActivity(date: string, { time, title, detail, url }: ItineraryEntry) {
  const start =
    time === undefined
      ? { kind: 'date' as const, date }
      : { kind: 'floating' as const, local: `${date}T${time}:00` }
  return {
    summary: title,
    ...(detail === undefined || detail === '' ? {} : { description: detail }),
    ...(url === undefined ? {} : { url }),
    start,
  }
}

// A departure without a known zone is a clock time at its airport, whichever zone that is in.
function flightEvents(
  { slices }: FlightOffer,
  uid: (part: string) => string,
): readonly CalendarEvent[] {
  return slices.flatMap(({ segments }, slice) =>
    segments.map((segment, index) => ({
      kind: 'event' as const,
      uid: uid(`flight-${slice}-${index}`),
      summary: `Flight ${segment.origin.iata_code} – ${segment.destination.iata_code}`,
      description: `${segment.marketing_carrier?.name ?? ''} ${segment.marketing_carrier_flight_number ?? ''}. Not booked here.`,
      status: 'tentative' as const,
      start: atAirport(segment.departing_at, segment.origin.time_zone),
      end: atAirport(segment.arriving_at, segment.destination.time_zone),
    })),
  )
}

function atAirport(local: string, timeZone: string | null | undefined) {
  const text = local.slice(0, 19)
  return typeof timeZone === 'string'
    ? { kind: 'zoned' as const, local: text, timeZone }
    : { kind: 'floating' as const, local: text }
}

function nextDay(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
