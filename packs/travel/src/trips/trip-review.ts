import type { Run } from '@surehand/core'
import { hashJson } from '@surehand/core/internal'
import { z } from 'zod'
import { formatMoney } from '../documents/costs.ts'
import { buildItinerary, type Itinerary } from '../documents/itinerary.ts'
import type { TravelPlan } from '../plans/plan.ts'
import { Trip } from './trip.ts'

const Review = z.object({
  decision: z.enum(['accept', 'discard']).default('accept').describe('discard: nothing is saved'),
  trip: Trip.describe('Edit it to search again.'),
  stay: z
    .string()
    .max(500)
    .nullable()
    .default(null)
    .describe('The listingId of the stay to book; null: none is booked.'),
})
export type Review = z.output<typeof Review>

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
): Promise<Review & { readonly isEdited: boolean }> {
  const itinerary = buildItinerary(plan, [])
  const answer = await run.ask(Review, describePlan(itinerary, notes), {
    id: `review-${round}`,
    from: 'person',
    timeout: '7d',
    shows: { decision: 'accept', trip, stay: itinerary.stay?.listingId ?? null },
  })
  return { ...answer, isEdited: hashJson(answer.trip) !== hashJson(trip) }
}

/** The text that a person reads before they accept: what is planned, and what it costs. */
function describePlan(itinerary: Itinerary, notes: readonly string[]): string {
  const { plan, nights, costs, stay, flight, activities } = itinerary
  const totals = costs.totals.map(({ amount, currency }) => formatMoney(amount, currency))
  const stays = plan.components.accommodations.flatMap(({ listingId, name }) =>
    typeof listingId === 'string' && typeof name === 'string' ? [`${name} (${listingId})`] : [],
  )
  return [
    `Keep this plan? ${plan.title}: ${plan.startDate} to ${plan.endDate}, ${nights} ${nights === 1 ? 'night' : 'nights'}, ${plan.travelers} ${plan.travelers === 1 ? 'traveller' : 'travellers'}.`,
    flight === undefined
      ? 'No flight was found.'
      : `Flight from ${formatMoney(Number(flight.total_amount), flight.total_currency)}.`,
    stay === undefined ? 'No stay was found.' : `Stays: ${stays.join('; ')}.`,
    activities.length === 0 ? '' : `Activities: ${activities.map(({ name }) => name).join(', ')}.`,
    totals.length === 0 ? '' : `Estimated cost: ${totals.join(' + ')}.`,
    costs.isOverBudget ? 'That is above the budget.' : '',
    'Booking the stay is approved separately, with its exact price.',
    ...notes,
  ]
    .filter((line) => line !== '')
    .join(' ')
}
