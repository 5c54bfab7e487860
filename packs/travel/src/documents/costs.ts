import type { FlightOffer } from '../flights/flights-port.ts'
import { countNights, type TravelPlan } from '../plans/plan.ts'
import type { BookedStay } from '../stays/stays-port.ts'
import type { PlannedStay } from './itinerary.ts'
import type { ShownItem } from './read-components.ts'

export type CostLine = {
  readonly what: string
  /** Undefined: not known, and not in the totals. */
  readonly amount?: number | undefined
  readonly currency?: string | undefined
  readonly isBooked: boolean
}

export type Costs = {
  readonly lines: readonly CostLine[]
  /** One for each currency: amounts in different currencies are never added. */
  readonly totals: readonly { readonly currency: string; readonly amount: number }[]
  readonly budget?: { readonly amount: number; readonly currency: string } | undefined
  /** Above the budget, where all costs are in its currency. */
  readonly isOverBudget: boolean
}

type Costed = {
  readonly plan: TravelPlan
  readonly flight: FlightOffer | undefined
  /** Those that are not booked. */
  readonly stays: readonly PlannedStay[]
  readonly activities: readonly ShownItem[]
  readonly bookings: readonly BookedStay[]
}

// As travel.combineSearchResults estimates it.
const COSTED_ACTIVITIES = 3

/** What a plan costs: its flight, its stays or what is booked, and three activities. */
export function planCosts({ plan, flight, stays, activities, bookings }: Costed): Costs {
  const lines: readonly CostLine[] = [
    ...(flight === undefined
      ? []
      : [
          {
            what: 'Flights',
            amount: Number(flight.total_amount),
            currency: flight.total_currency,
            isBooked: false,
          },
        ]),
    ...bookings.map(bookedLine),
    ...stays.map(stayLine),
    ...activities.slice(0, COSTED_ACTIVITIES).map(({ name, price }) => ({
      what: name,
      amount: price?.amount,
      currency: price?.currency,
      isBooked: false,
    })),
  ]
  const totals = addUp(lines)
  const budget = toBudget(plan.budget)
  const [only] = totals
  return {
    lines,
    totals,
    budget,
    isOverBudget:
      budget !== undefined &&
      totals.length === 1 &&
      only?.currency === budget.currency &&
      only.amount > budget.amount,
  }
}

function bookedLine({ name, total }: BookedStay): CostLine {
  return { what: name, amount: Number(total.amount), currency: total.currency, isBooked: true }
}

function stayLine({ name, price, checkin, checkout }: PlannedStay): CostLine {
  const nights = countNights({ startDate: checkin, endDate: checkout })
  const what = `${name}, ${nights} ${nights === 1 ? 'night' : 'nights'}`
  const amount = price === undefined ? undefined : price.amount * nights
  return { what, amount, currency: price?.currency, isBooked: false }
}

function addUp(lines: readonly CostLine[]): Costs['totals'] {
  const totals = new Map<string, number>()
  for (const { amount, currency } of lines)
    if (amount !== undefined && currency !== undefined)
      totals.set(currency, (totals.get(currency) ?? 0) + amount)
  return [...totals].map(([currency, amount]) => ({
    currency,
    amount: Math.round(amount * 100) / 100,
  }))
}

// A bare number is in USD, as the plan's own field says.
function toBudget(budget: TravelPlan['budget']): Costs['budget'] {
  if (budget === null) return undefined
  return typeof budget === 'number' ? { amount: budget, currency: 'USD' } : budget
}

export function formatMoney(amount: number, currency: string): string {
  return `${amount.toFixed(2)} ${currency}`
}
