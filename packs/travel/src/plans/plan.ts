import { z } from 'zod'
import { CivilDate, Currency } from '../shapes.ts'

const MAX_COMPONENTS = 100

/** A flight, a stay or an activity as a search returned it; foreign fields stay as they came. */
export const SearchItem = z
  .record(z.string().max(200), z.json())
  .refine((item) => Object.keys(item).length <= 200, 'has more than 200 fields')
export type SearchItem = z.output<typeof SearchItem>

/** What a plan is made of. */
export const PlanComponents = z.object({
  flights: z.array(SearchItem).max(MAX_COMPONENTS),
  accommodations: z.array(SearchItem).max(MAX_COMPONENTS),
  activities: z.array(SearchItem).max(MAX_COMPONENTS),
  transportation: z.array(SearchItem).max(MAX_COMPONENTS),
  notes: z.array(z.string().max(4_000)).max(MAX_COMPONENTS),
})
export type PlanComponents = z.output<typeof PlanComponents>

export const Budget = z.object({
  amount: z.number().min(0).max(1e9),
  currency: Currency,
})

/** The fields that a traveller chooses; `updateTravelPlan` changes these and no others. */
export const PlanFields = z.object({
  title: z.string().trim().min(1).max(200),
  destinations: z.array(z.string().trim().min(1).max(200)).min(1).max(20),
  startDate: CivilDate,
  endDate: CivilDate,
  travelers: z.int().min(1).max(50),
  budget: z
    .union([z.number().min(0).max(1e9), Budget])
    .nullable()
    .describe('An amount in USD, or an amount with its currency.'),
  preferences: z.record(z.string().max(100), z.json()),
})

/** A travel plan, as document 000 calls it. */
export const TravelPlan = PlanFields.extend({
  planId: z.string(),
  userId: z.string(),
  components: PlanComponents,
  status: z.enum(['draft', 'finalized']),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  finalizedAt: z.iso.datetime().optional(),
})
export type TravelPlan = z.output<typeof TravelPlan>

export const NO_COMPONENTS: PlanComponents = {
  flights: [],
  accommodations: [],
  activities: [],
  transportation: [],
  notes: [],
}

const DAY_MS = 86_400_000
const DRAFT_MS = 7 * DAY_MS
const FINALIZED_MS = 30 * DAY_MS

/**
 * How long a plan is stored: a draft for seven days after its last change, a finalized plan until
 * thirty days after its end date.
 */
export function planLifeMs(plan: Pick<TravelPlan, 'status' | 'endDate'>, nowMs: number): number {
  if (plan.status === 'draft') return DRAFT_MS
  const endOfTrip = Date.parse(`${plan.endDate}T00:00:00Z`) + DAY_MS
  return Math.max(endOfTrip + FINALIZED_MS - nowMs, FINALIZED_MS)
}

/** The number of nights between the dates; three where it is not known, as document 000 says. */
export function countNights({ startDate, endDate }: Pick<TravelPlan, 'startDate' | 'endDate'>) {
  return Math.round((Date.parse(endDate) - Date.parse(startDate)) / DAY_MS)
}
