import type { Run } from '@surehand/core'
import { hashJson } from '@surehand/core/internal'
import { z } from 'zod'
import { formatMoney } from '../documents/costs.ts'
import { buildItinerary, type Itinerary } from '../documents/itinerary.ts'
import { readComponents, type ShownStay } from '../documents/read-components.ts'
import type { TravelPlan } from '../plans/plan.ts'
import { Trip } from './trip.ts'

const Review = z.object({
  decision: z.enum(['accept', 'discard']).default('accept').describe('discard: nothing is saved'),
  trip: Trip.describe('Edit it to search again.'),
  stay: z
    .int()
    .min(0)
    .max(3)
    .default(0)
    .describe('Which of the stays to book, by its number; 0: none is booked.'),
})

export type Review = Omit<z.output<typeof Review>, 'stay'> & {
  /** The stay to book; undefined: none. */
  readonly listingId: string | undefined
  /** The trip was changed, so that it has to be searched for again. */
  readonly isEdited: boolean
}

export type Proposal = {
  readonly trip: Trip
  readonly plan: TravelPlan
  readonly notes: readonly string[]
  readonly round: number
}

/** Shows a plan to the person, who accepts it, edits the trip, or chooses another stay. */
export async function reviewPlan(
  run: Pick<Run<unknown>, 'ask'>,
  { trip, plan, notes, round }: Proposal,
): Promise<Review> {
  const itinerary = buildItinerary(plan, [])
  const { stays } = readComponents(plan.components)
  const answer = await run.ask(Review, describePlan(itinerary, stays, notes), {
    id: `review-${round}`,
    from: 'person',
    timeout: '7d',
    shows: { decision: 'accept', trip, stay: Math.min(1, stays.length) },
  })
  const { decision } = answer
  return {
    decision,
    trip: answer.trip,
    listingId: stays[answer.stay - 1]?.listingId,
    isEdited: hashJson(answer.trip) !== hashJson(trip),
  }
}

/** The text that a person reads before they accept: what is planned, and what it costs. */
function describePlan(
  itinerary: Itinerary,
  stays: readonly ShownStay[],
  notes: readonly string[],
): string {
  const { plan, nights, costs, flight, activities } = itinerary
  const totals = costs.totals.map(({ amount, currency }) => formatMoney(amount, currency))
  const named = stays.map(({ name }, index) => `${index + 1}. ${name}`)
  return [
    `Keep this plan? ${plan.title}: ${plan.startDate} to ${plan.endDate}, ${nights} ${nights === 1 ? 'night' : 'nights'}, ${plan.travelers} ${plan.travelers === 1 ? 'traveller' : 'travellers'}.`,
    flight === undefined
      ? 'No flight was found.'
      : `Flight from ${formatMoney(Number(flight.total_amount), flight.total_currency)}.`,
    stays.length === 0 ? 'No stay was found.' : `Stays: ${named.join('; ')}.`,
    activities.length === 0 ? '' : `Activities: ${activities.map(({ name }) => name).join(', ')}.`,
    totals.length === 0 ? '' : `Estimated cost: ${totals.join(' + ')}.`,
    costs.isOverBudget ? 'That is above the budget.' : '',
    'Booking the stay is approved separately, with its exact price.',
    ...notes,
  ]
    .filter((line) => line !== '')
    .join(' ')
}
