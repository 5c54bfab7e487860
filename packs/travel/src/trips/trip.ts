import { addDays } from '@surehand/dates'
import { z } from 'zod'
import { CivilDate, Currency } from '../shapes.ts'

const DAY_MS = 86_400_000
/** With more stops, one round of searches would use up what a run may spend on vendors. */
export const MAX_STOPS = 4

/** A trip that can be searched for: everything that the searches need. */
export const Trip = z
  .object({
    destinations: z
      .array(z.string().trim().min(1).max(100))
      .min(1)
      .max(MAX_STOPS)
      .describe('Towns in the order of the trip. The nights are divided evenly among them.'),
    origin: z
      .string()
      .trim()
      .max(100)
      .nullable()
      .default(null)
      .describe('The town that the trip starts from; null: no flights are searched'),
    startDate: CivilDate,
    endDate: CivilDate,
    travelers: z.int().min(1).max(9).default(1),
    budget: z
      .object({ amount: z.number().min(0).max(1e9), currency: Currency })
      .nullable()
      .default(null),
    interests: z.array(z.string().trim().min(1).max(40)).max(10).default([]),
  })
  .refine(({ startDate, endDate }) => endDate > startDate, {
    path: ['endDate'],
    error: 'must be after the start',
  })
  .refine((trip) => trip.endDate <= trip.startDate || nightsOf(trip) >= trip.destinations.length, {
    path: ['endDate'],
    error: 'must leave a night for every destination',
  })
export type Trip = z.output<typeof Trip>

/** A part of a trip: the nights in one town. */
export type Stop = { readonly town: string; readonly checkin: string; readonly checkout: string }

/** The stops of a trip. The nights that remain after an even division go to the first ones. */
export function stopsOf(trip: Trip): readonly Stop[] {
  const { destinations, startDate } = trip
  const nights = nightsOf(trip)
  const share = Math.floor(nights / destinations.length)
  const longer = nights % destinations.length
  return destinations.map((town, index) => ({
    town,
    checkin: addDays(startDate, index * share + Math.min(index, longer)),
    checkout: addDays(startDate, (index + 1) * share + Math.min(index + 1, longer)),
  }))
}

function nightsOf({ startDate, endDate }: { startDate: string; endDate: string }): number {
  return Math.round((Date.parse(endDate) - Date.parse(startDate)) / DAY_MS)
}

/** The currency to search in: the one of the budget. */
export function currencyOf({ budget }: Trip): string {
  return budget?.currency ?? 'EUR'
}
