import type { FlightOffer } from '../flights/flights-port.ts'
import { countNights, type TravelPlan } from '../plans/plan.ts'
import type { BookedStay } from '../stays/stays-port.ts'
import type { ShownItem, ShownStay } from './read-components.ts'

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
  readonly stay: ShownStay | undefined
  readonly activities: readonly ShownItem[]
  readonly bookings: readonly BookedStay[]
}

// As travel.combineSearchResults estimates it.
const COSTED_ACTIVITIES = 3

/** What a plan costs: its flight, its stay or what is booked, and three activities. */
export function planCosts({ plan, flight, stay, activities, bookings }: Costed): Costs {
  const nights = countNights(plan)
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
    ...(bookings.length > 0 ? bookings.map(bookedLine) : stayLines(stay, nights)),
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

function stayLines(stay: ShownStay | undefined, nights: number): readonly CostLine[] {
  if (stay === undefined) return []
  const what = `${stay.name}, ${nights} ${nights === 1 ? 'night' : 'nights'}`
  const amount = stay.price === undefined ? undefined : stay.price.amount * nights
  return [{ what, amount, currency: stay.price?.currency, isBooked: false }]
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
