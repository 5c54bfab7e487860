import type { PlanComponents, SearchItem, TravelPlan } from './plan.ts'
import { countNights } from './plan.ts'

const FLIGHTS = 3
const STAYS = 3
const ACTIVITIES = 5
const COSTED_ACTIVITIES = 3
const DEFAULT_NIGHTS = 3
const PRICE_WEIGHT = 0.7
const RATING_WEIGHT = 0.3

export type Money = { readonly amount: number; readonly currency: string }

/** The results of searches, of which the best become components of the plan. */
export type SearchResults = {
  readonly flights?: readonly SearchItem[] | undefined
  readonly accommodations?: readonly SearchItem[] | undefined
  readonly activities?: readonly SearchItem[] | undefined
}

/** What the plan costs, one total per currency: amounts in different currencies are never added. */
export type CostEstimate = {
  readonly totals: readonly { readonly currency: string; readonly amount: number }[]
  readonly nights: number
  /** Chosen items without a price, or without its currency: the totals leave them out. */
  readonly withoutPrice: readonly string[]
}

export type Combined = {
  readonly components: Pick<PlanComponents, 'flights' | 'accommodations' | 'activities'>
  readonly cost: CostEstimate
}

/**
 * Chooses the three cheapest flights, the three best stays by price and rating, and the five
 * activities with the best rating, and estimates what the plan costs.
 */
export function combineResults(
  { flights = [], accommodations = [], activities = [] }: SearchResults,
  plan: Pick<TravelPlan, 'startDate' | 'endDate' | 'budget'> | undefined,
): Combined {
  const wanted = plan?.budget == null ? undefined : currencyOfBudget(plan.budget)
  const cheapest = byKey(flights, comparablePrice(flights, wanted)).slice(0, FLIGHTS)
  const stays = rankStays(accommodations, wanted)
  const best = byKey(activities, (item) => negate(ratingOf(item))).slice(0, ACTIVITIES)
  const nights = plan === undefined ? DEFAULT_NIGHTS : countNights(plan) || DEFAULT_NIGHTS
  return {
    components: { flights: cheapest, accommodations: stays, activities: best },
    cost: estimateCost(
      [
        ...cheapest.slice(0, 1).map((item) => ({ what: 'flight', item, times: 1 })),
        ...stays.slice(0, 1).map((item) => ({ what: 'stay', item, times: nights })),
        ...best
          .slice(0, COSTED_ACTIVITIES)
          .map((item, index) => ({ what: `activity ${index + 1}`, item, times: 1 })),
      ],
      nights,
    ),
  }
}

type CostLine = { readonly what: string; readonly item: SearchItem; readonly times: number }

function estimateCost(lines: readonly CostLine[], nights: number): CostEstimate {
  const totals = new Map<string, number>()
  const withoutPrice: string[] = []
  for (const { what, item, times } of lines) {
    const price = priceOf(item)
    if (price === undefined) withoutPrice.push(what)
    else totals.set(price.currency, (totals.get(price.currency) ?? 0) + price.amount * times)
  }
  return {
    totals: [...totals].map(([currency, amount]) => ({
      currency,
      amount: Math.round(amount * 100) / 100,
    })),
    nights,
    withoutPrice,
  }
}

/**
 * The three best stays by −0.7 · price + 0.3 · rating. Both are normalised to 0..1 among the stays that are
 * compared; otherwise a price of 180 would outweigh every rating. A stay without a price or a
 * rating counts as the worst in that respect.
 */
export function rankStays(stays: readonly SearchItem[], wanted: string | undefined): SearchItem[] {
  const prices = normalise(stays.map(comparablePrice(stays, wanted)), 1)
  const ratings = normalise(stays.map(ratingOf), 0)
  const scored = stays.map((stay, index) => ({
    stay,
    score: -PRICE_WEIGHT * (prices[index] ?? 1) + RATING_WEIGHT * (ratings[index] ?? 0),
  }))
  return scored
    .sort((left, right) => right.score - left.score)
    .slice(0, STAYS)
    .map(({ stay }) => stay)
}

function normalise(values: readonly (number | undefined)[], unknown: number): readonly number[] {
  const known = values.filter((value) => value !== undefined)
  const [least, most] = [Math.min(...known), Math.max(...known)]
  return values.map((value) => {
    if (value === undefined) return unknown
    return most === least ? 0 : (value - least) / (most - least)
  })
}

// A bare number is in USD, as the plan's own field says.
function currencyOfBudget(budget: NonNullable<TravelPlan['budget']>): string {
  return typeof budget === 'number' ? 'USD' : budget.currency
}

/**
 * The prices of the items in one currency: the wanted one, or else the most common one. An item in
 * another currency counts as one without a price, because 100 JPY are not more than 90 EUR.
 */
function comparablePrice(
  items: readonly SearchItem[],
  wanted: string | undefined,
): (item: SearchItem) => number | undefined {
  const counts = new Map<string, number>()
  for (const item of items) {
    const { currency } = priceOf(item) ?? {}
    if (currency !== undefined) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, left], [, right]) => right - left)
  const common = wanted !== undefined && counts.has(wanted) ? wanted : most?.[0]
  return (item) => {
    const price = priceOf(item)
    return price?.currency === common ? price?.amount : undefined
  }
}

function byKey(
  items: readonly SearchItem[],
  key: (item: SearchItem) => number | undefined,
): readonly SearchItem[] {
  return [...items].sort(
    (left, right) =>
      (key(left) ?? Number.POSITIVE_INFINITY) - (key(right) ?? Number.POSITIVE_INFINITY),
  )
}

function negate(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value
}

/**
 * The price of an item: Duffel's `total_amount`, a number, a text such as "120.50", or an object
 * with an amount and a currency. Undefined without a currency: it must not be guessed.
 */
export function priceOf(item: SearchItem): Money | undefined {
  const currency = textOf(item.total_currency) ?? textOf(item.currency)
  for (const field of ['total_amount', 'price', 'totalPrice', 'amount', 'pricePerNight']) {
    const value = item[field]
    const nested = isObject(value) ? value : undefined
    const amount = amountOf(nested === undefined ? value : nested.amount)
    if (amount === undefined) continue
    const own = textOf(nested?.currency) ?? currency
    return own === undefined ? undefined : { amount, currency: own }
  }
  return undefined
}

function amountOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  if (typeof value !== 'string' || !/^\d+(?:\.\d+)?$/.test(value)) return undefined
  return Number(value)
}

function ratingOf(item: SearchItem): number | undefined {
  for (const field of ['rating', 'review_score', 'stars']) {
    const value = item[field]
    if (typeof value === 'number' && Number.isFinite(value)) return value
  }
  return undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
