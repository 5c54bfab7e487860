import { z } from 'zod'
import { CivilDate } from '../shapes.ts'

const DAY_MS = 86_400_000

/** The fields of a stay that searching and booking have in common. */
export const StayFields = z.object({
  checkin: CivilDate,
  checkout: CivilDate,
  guests: z.int().min(1).max(16).default(1),
})

type Dates = { readonly checkin: string; readonly checkout: string }

/** For `refine`: a stay has at least one night. */
export function hasNights({ checkin, checkout }: Dates): boolean {
  return checkout > checkin
}

export const NO_NIGHTS = { path: ['checkout'], error: 'must be after the check-in' }

export function nightsOf({ checkin, checkout }: Dates): number {
  return Math.round((Date.parse(checkout) - Date.parse(checkin)) / DAY_MS)
}
