import { seededNumber } from '../../providers/seeded-number.ts'
import type { Cabin } from '../flights-port.ts'

const CABIN_FACTORS: Readonly<Record<Cabin, number>> = {
  economy: 1,
  premium_economy: 1.7,
  business: 3.4,
  first: 5.5,
}

export type FareQuery = {
  readonly route: string
  readonly distanceKm: number
  readonly stops: number
  readonly date: string
  readonly daysAhead: number
  readonly cabin: Cabin
  readonly carrier: string
}

/** What a seat on a flight could cost, in US dollars. A model: no airline asks for this fare. */
export function modelFare(query: FareQuery): number {
  const { route, distanceKm, stops, date, daysAhead, cabin, carrier } = query
  const base = 28 + 0.055 * distanceKm
  const noise = 0.85 + 0.4 * seededNumber('fare', route, date, carrier)
  const detour = stops === 0 ? 1 : 0.82
  return (
    base * CABIN_FACTORS[cabin] * seasonFactor(date) * urgencyFactor(daysAhead) * noise * detour
  )
}

function seasonFactor(date: string): number {
  const month = Number(date.slice(5, 7))
  const day = new Date(`${date}T00:00:00Z`).getUTCDay()
  const season = month === 7 || month === 8 ? 1.3 : month === 12 ? 1.2 : month <= 2 ? 0.88 : 1
  return season * (day === 5 || day === 0 ? 1.12 : 1)
}

function urgencyFactor(daysAhead: number): number {
  if (daysAhead < 3) return 1.9
  if (daysAhead < 7) return 1.5
  if (daysAhead < 21) return 1.15
  return 1
}
