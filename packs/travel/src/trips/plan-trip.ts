import { defineTool, isToolError, type Run, ToolError } from '@surehand/core'
import { addDays, dayOf } from '@surehand/dates'
import { z } from 'zod'
import { rankStays } from '../plans/combine.ts'
import { combineSearchResults } from '../plans/combine-search-results.ts'
import { createTravelPlan } from '../plans/create-travel-plan.ts'
import { countNights, SearchItem, TravelPlan } from '../plans/plan.ts'
import { saveTravelPlan } from '../plans/save-travel-plan.ts'
import { updateTravelPlan } from '../plans/update-travel-plan.ts'
import { bookAccommodation } from '../stays/book-accommodation.ts'
import { MAX_WISH_CHARACTERS, readWish } from './read-wish.ts'
import { MAX_STOPS, Trip } from './trip.ts'
import { type Remembered, recallTraveller } from './trip-memories.ts'
import { type ChosenStay, type Review, reviewPlan } from './trip-review.ts'
import { createTripSearches, type Found } from './trip-searches.ts'
import type { TripWish } from './trip-wish.ts'

/** After so many rounds a plan is edited by its tools. */
const MAX_ROUNDS = 3
/** An item of a search is stored in the plan; the rest of the results is not needed. */
const MAX_ITEMS = 20

const Input = z.object({
  wish: z
    .string()
    .trim()
    .min(3)
    .max(MAX_WISH_CHARACTERS)
    .describe('In the words of the traveller: where to, when, for how many, for how much.'),
})
type Input = z.output<typeof Input>

const Booking = z.object({
  town: z.string(),
  status: z.enum(['booked', 'not_booked']),
  reference: z.string().optional(),
  reason: z.string().optional(),
})
type Booking = z.output<typeof Booking>

const Output = z.object({
  status: z.enum(['planned', 'booked', 'partly_booked', 'discarded']),
  planId: z.string(),
  plan: TravelPlan,
  bookings: z.array(Booking).describe('One for each stay that the person wanted to book.'),
  notes: z.array(z.string()),
})

export const planTrip = defineTool({
  id: 'travel.planTrip',
  title: 'Plan a trip',
  category: 'travel',
  description:
    'Plans a trip from a wish: recalls what the traveller likes, searches flights, stays and sights, puts a plan together and shows it to the person, who accepts or edits it. Then the chosen stay is quoted and waits for their approval; nothing is booked before. Use it when a person wants to go somewhere.',
  aliases: ['planTrip'],
  kind: 'composite',
  input: Input,
  output: Output,
  contract: {
    effect: 'writes.plan',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: ['travel.plan', 'travel.book', 'travel.memory'].map((name) => ({
        name,
        scope: 'self',
      })),
    },
    // For the work between two answers of the person.
    timeout: '60s',
    latencyBudget: '10s',
    limits: [{ calls: 10, per: '1h' }],
  },
  examples: [
    {
      name: 'a week',
      input: { wish: 'A week in Lisbon in May for two, under 2000 EUR, from Berlin' },
    },
    { name: 'a weekend', input: { wish: 'Porto from 4 to 6 June 2027, museums and food' } },
  ],
  execute: planFromWish,
})

async function planFromWish(run: Run<Input>): Promise<z.input<typeof Output>> {
  run.report({ fraction: 0.05, message: 'Reading the wish' })
  const wish = await run.step('wish', readWish, { text: run.input.wish }, { retries: 0 })
  const { trip: first, assumptions } = await completeWish(run, wish)
  const remembered = await recallTraveller(run)
  const searchTrip = createTripSearches(run)
  let trip = first
  let planId: string | undefined
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const found = await searchTrip(trip, remembered, round)
    const plan = await putTogether(run, trip, { planId, found, remembered, round })
    planId = plan.planId
    const notes = [...assumptions, ...found.notes]
    run.report({ fraction: 0.7, message: 'Waiting for the person' })
    const review = await reviewPlan(run, { trip, plan, notes, round })
    if (review.decision === 'discard')
      return { status: 'discarded', planId, plan, bookings: [], notes }
    if (!review.isEdited) return keepPlan(run, { plan, trip, review, notes })
    trip = review.trip
  }
  throw new ToolError(
    'TOOL_GATE_CLOSED',
    `The trip was edited ${MAX_ROUNDS} times. Its draft ${planId} is stored: go on with travel.updateTravelPlan.`,
    { details: { source_code: 'too_many_edits', planId } },
  )
}

type Draft = {
  readonly planId: string | undefined
  readonly found: Found
  readonly remembered: Remembered
  readonly round: number
}

async function putTogether(
  run: Pick<Run<Input>, 'step' | 'report'>,
  trip: Trip,
  { planId, found, remembered, round }: Draft,
): Promise<TravelPlan> {
  run.report({ fraction: 0.6, message: 'Putting the plan together' })
  const fields = {
    title: `${trip.destinations.join(', ')}, ${trip.startDate}`,
    destinations: trip.destinations,
    startDate: trip.startDate,
    endDate: trip.endDate,
    travelers: trip.travelers,
    budget: trip.budget,
    // Not what is remembered: a memory that is forgotten must not stay in a plan.
    preferences: { interests: trip.interests, cabin: remembered.cabin },
  }
  const { planId: id } =
    planId === undefined
      ? await run.step('create', createTravelPlan, fields)
      : await run.step(`update-${round}`, updateTravelPlan, { planId, ...fields })
  const { plan } = await run.step(`combine-${round}`, combineSearchResults, {
    planId: id,
    flights: toItems(found.flights),
    accommodations: toItems(found.stays[0] ?? []),
    activities: toItems(found.activities),
  })
  if (found.stays.length === 1 && found.transportation.length === 0) return plan
  // Combining chooses the best stays of one place, so those of a tour are chosen for each stop.
  const accommodations = found.stays.flatMap((stays) =>
    rankStays(toItems(stays), trip.budget?.currency),
  )
  return run.step(`stops-${round}`, updateTravelPlan, {
    planId: id,
    components: { accommodations, transportation: toItems(found.transportation) },
  })
}

function toItems(items: Found['flights']): SearchItem[] {
  // Optional fields that are undefined count as missing.
  return items.slice(0, MAX_ITEMS).map((item) => SearchItem.parse(JSON.parse(JSON.stringify(item))))
}

type Accepted = {
  readonly plan: TravelPlan
  readonly trip: Trip
  readonly review: Review
  readonly notes: readonly string[]
}

async function keepPlan(
  run: Run<Input>,
  { plan: { planId }, trip, review, notes }: Accepted,
): Promise<z.input<typeof Output>> {
  const plan = await run.step('save', saveTravelPlan, { planId })
  const bookings: Booking[] = []
  for (const [index, choice] of review.chosen.entries()) {
    run.report({ fraction: 0.85, message: 'Waiting for the approval of the booking' })
    bookings.push(await bookStay(run, index === 0 ? 'book' : `book-${index + 1}`, choice, trip))
  }
  return { status: statusOf(bookings), planId, plan, bookings, notes: [...notes] }
}

function statusOf(bookings: readonly Booking[]): 'planned' | 'booked' | 'partly_booked' {
  const booked = bookings.filter(({ status }) => status === 'booked').length
  if (booked === 0) return 'planned'
  return booked === bookings.length ? 'booked' : 'partly_booked'
}

async function bookStay(
  run: Pick<Run<Input>, 'step'>,
  id: string,
  { listingId, stop: { town, checkin, checkout } }: ChosenStay,
  { travelers: guests }: Trip,
): Promise<Booking> {
  try {
    // The runtime fills in the session.
    const order = { listingId, checkin, checkout, guests, sessionId: 'filled-in' }
    const { reference } = await run.step(id, bookAccommodation, order)
    return { town, status: 'booked', reference }
  } catch (thrown) {
    return { town, status: 'not_booked', reason: whyNotBooked(thrown) }
  }
}

// A refusal leaves the plan as it is. Every other failure may have booked, and is not hidden.
function whyNotBooked(thrown: unknown): string {
  if (!isToolError(thrown) || !REFUSALS.has(thrown.code)) throw thrown
  return thrown.message
}

const REFUSALS: ReadonlySet<string> = new Set([
  'TOOL_APPROVAL_DENIED',
  'TOOL_GATE_CLOSED',
  'TOOL_RESOURCE_NOT_FOUND',
  // The provider wants the name of the guest, which a wish does not contain.
  'TOOL_MISSING_REQUIRED_FIELD',
])

const DEFAULT_NIGHTS = 4
/** A trip without dates is proposed for a month from now. */
const DEFAULT_LEAD_DAYS = 30

/**
 * A trip that can be searched for. Where the wish does not say where to or when, the person is asked,
 * with a proposal that they can edit.
 */
async function completeWish(
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
  const endDate =
    wish.endDate !== null && wish.endDate > startDate ? wish.endDate : addDays(startDate, nights)
  const most = Math.min(MAX_STOPS, countNights({ startDate, endDate }))
  const destinations = wish.destinations.slice(0, most)
  const assumptions = [
    ...wish.assumptions,
    ...(wish.endDate === null && wish.nights === null
      ? [`The wish does not say how long, so ${DEFAULT_NIGHTS} nights are assumed.`]
      : []),
    ...(wish.travelers === null ? ['The wish does not say for how many: one is assumed.'] : []),
    ...(wish.destinations.length > most
      ? [
          `A trip has at most ${MAX_STOPS} places, with a night in each: only ${destinations.join(', ')} is planned.`,
        ]
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
