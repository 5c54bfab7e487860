import { z } from 'zod'
import { CivilDate, Currency } from '../shapes.ts'

/** A trip that can be searched for: everything that the searches need. */
export const Trip = z
  .object({
    destination: z.string().trim().min(1).max(100),
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
export type Trip = z.output<typeof Trip>

/** The currency to search in: the one of the budget. */
export function currencyOf({ budget }: Trip): string {
  return budget?.currency ?? 'EUR'
}
