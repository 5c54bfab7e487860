import { z } from 'zod'
import { CivilDate, Currency } from '../shapes.ts'

const Place = z.string().trim().min(1).max(100)

/** What a wish says about a trip. Null: it says nothing about it. */
export const TripWish = z.object({
  destinations: z.array(Place).max(5).describe('Towns, in the order in which they are visited.'),
  origin: Place.nullable().describe('The town that the trip starts from.'),
  startDate: CivilDate.nullable(),
  endDate: CivilDate.nullable().describe('The day of the return.'),
  nights: z.int().min(1).max(60).nullable(),
  travelers: z.int().min(1).max(16).nullable(),
  budget: z.object({ amount: z.number().min(0).max(1e9), currency: Currency }).nullable(),
  interests: z.array(z.string().trim().min(1).max(40)).max(10),
  /** What was guessed, in sentences for the person. */
  assumptions: z.array(z.string().max(300)).max(10),
})
export type TripWish = z.output<typeof TripWish>
