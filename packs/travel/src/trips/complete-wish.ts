import type { Run } from '@surehand/core'
import { addDays, dayOf } from '@surehand/dates'
import { MAX_STOPS, Trip } from './trip.ts'
import type { TripWish } from './trip-wish.ts'

const DEFAULT_NIGHTS = 4
/** A trip without dates is proposed for a month from now. */
const DEFAULT_LEAD_DAYS = 30

/**
 * A trip that can be searched for. Where the wish does not say where to or when, the person is asked,
 * with a proposal that they can edit.
 */
export async function completeWish(
  run: Pick<Run<unknown>, 'ask' | 'now' | 'caller'>,
  wish: TripWish,
): Promise<{ readonly trip: Trip; readonly assumptions: readonly string[] }> {
  const [destination] = wish.destinations
  const proposal = proposeTrip(wish, dayOf(run.now(), run.caller.timeZone ?? 'UTC'))
  if (destination !== undefined && wish.startDate !== null)
    return { trip: Trip.parse(proposal.trip), assumptions: proposal.assumptions }
  const missing = [
    ...(destination === undefined ? ['where to'] : []),
    ...(wish.startDate === null ? ['when'] : []),
  ]
  const trip = await run.ask(
    Trip,
    `The wish does not say ${missing.join(' and ')}. Complete the trip, and correct what is wrong.`,
    {
      id: 'complete',
      from: 'person',
      timeout: '7d',
      ...(destination === undefined ? {} : { shows: proposal.trip }),
    },
  )
  return { trip, assumptions: [] }
}

function proposeTrip(wish: TripWish, today: string) {
  const startDate = wish.startDate ?? addDays(today, DEFAULT_LEAD_DAYS)
  const nights = wish.nights ?? DEFAULT_NIGHTS
  const destinations = wish.destinations.slice(0, MAX_STOPS)
  const endDate =
    wish.endDate !== null && wish.endDate > startDate
      ? wish.endDate
      : addDays(startDate, Math.max(nights, destinations.length))
  const assumptions = [
    ...wish.assumptions,
    ...(wish.endDate === null && wish.nights === null
      ? [`The wish does not say how long, so ${DEFAULT_NIGHTS} nights are assumed.`]
      : []),
    ...(wish.travelers === null ? ['The wish does not say for how many: one is assumed.'] : []),
    ...(wish.destinations.length > MAX_STOPS
      ? [`Only the first ${MAX_STOPS} places are planned; plan the others separately.`]
      : []),
    ...(destinations.length > 1 ? ['The nights are divided evenly among the places.'] : []),
  ]
  const trip = {
    destinations,
    origin: wish.origin,
    startDate,
    endDate,
    travelers: Math.min(9, wish.travelers ?? 1),
    budget: wish.budget,
    interests: wish.interests,
  }
  return { trip, assumptions }
}
