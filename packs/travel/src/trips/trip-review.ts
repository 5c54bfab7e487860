import type { Run } from '@surehand/core'
import { hashJson } from '@surehand/core/internal'
import { z } from 'zod'
import { formatMoney } from '../documents/costs.ts'
import { buildItinerary, type Itinerary } from '../documents/itinerary.ts'
import { readComponents, type ShownStay } from '../documents/read-components.ts'
import type { TravelPlan } from '../plans/plan.ts'
import { MAX_STOPS, type Stop, stopsOf, Trip } from './trip.ts'

const Review = z.object({
  decision: z.enum(['accept', 'discard']).default('accept').describe('discard: nothing is saved'),
  trip: Trip.describe('Edit it to search again.'),
  stays: z
    .array(z.int().min(0).max(3))
    .max(MAX_STOPS)
    .default([])
    .describe(
      'For each destination, in their order: which of its stays to book, by its number; 0: none is booked.',
    ),
})

export type Review = Omit<z.output<typeof Review>, 'stays'> & {
  /** The stays to book, each for its stop. */
  readonly chosen: readonly ChosenStay[]
  /** The trip was changed, so that it has to be searched for again. */
  readonly isEdited: boolean
}
export type ChosenStay = { readonly stop: Stop; readonly listingId: string }

export type Proposal = {
  readonly trip: Trip
  readonly plan: TravelPlan
  readonly notes: readonly string[]
  readonly round: number
}

/** Shows a plan to the person, who accepts it, edits the trip, or chooses other stays. */
export async function reviewPlan(
  run: Pick<Run<unknown>, 'ask'>,
  { trip, plan, notes, round }: Proposal,
): Promise<Review> {
  const { stays } = readComponents(plan.components)
  const offers = stopsOf(trip).map((stop) => ({
    stop,
    stays: stays.filter(({ checkin }) => checkin === stop.checkin),
  }))
  const text = describePlan(buildItinerary(plan, []), offers, notes)
  const answer = await run.ask(Review, text, {
    id: `review-${round}`,
    from: 'person',
    timeout: '7d',
    shows: {
      decision: 'accept',
      trip,
      stays: offers.map((offer) => Math.min(1, offer.stays.length)),
    },
  })
  return {
    decision: answer.decision,
    trip: answer.trip,
    chosen: offers.flatMap(({ stop, stays: found }, index) => {
      const listingId = found[(answer.stays[index] ?? 0) - 1]?.listingId
      return listingId === undefined ? [] : [{ stop, listingId }]
    }),
    isEdited: hashJson(answer.trip) !== hashJson(trip),
  }
}

type Offer = { readonly stop: Stop; readonly stays: readonly ShownStay[] }

/**
 * What a person reads before they accept: the first line is the question, and each further line one
 * thing that they should know.
 */
function describePlan(
  { plan, nights, costs, flight, activities }: Itinerary,
  offers: readonly Offer[],
  notes: readonly string[],
): string {
  const totals = costs.totals.map(({ amount, currency }) => formatMoney(amount, currency))
  return [
    `Keep this plan? ${plan.destinations.join(', ')}: ${plan.startDate} to ${plan.endDate}, ${nights} ${nights === 1 ? 'night' : 'nights'}, ${plan.travelers} ${plan.travelers === 1 ? 'traveller' : 'travellers'}.`,
    flight === undefined
      ? 'No flight was found.'
      : `Flights: from ${formatMoney(Number(flight.total_amount), flight.total_currency)}.`,
    ...offers.map(describeOffer),
    activities.length === 0 ? '' : `Activities: ${activities.map(({ name }) => name).join(', ')}.`,
    totals.length === 0
      ? ''
      : `Estimated cost: ${totals.join(' + ')}.${costs.isOverBudget ? ' That is above the budget.' : ''}`,
    'Booking a stay is approved separately, with its exact price.',
    ...notes,
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function describeOffer({ stop: { town, checkin, checkout }, stays }: Offer): string {
  if (stays.length === 0) return `No stay was found in ${town}.`
  const named = stays.map(({ name, price }, index) => {
    const money =
      price === undefined ? '' : `, ${formatMoney(price.amount, price.currency)} a night`
    return `${index + 1}. ${name}${money}`
  })
  return `Stays in ${town} (${checkin} to ${checkout}): ${named.join('; ')}.`
}
