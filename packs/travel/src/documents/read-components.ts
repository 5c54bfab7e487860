import { z } from 'zod'
import { FlightOffer } from '../flights/flights-port.ts'
import { priceOf } from '../plans/combine.ts'
import type { PlanComponents, SearchItem } from '../plans/plan.ts'

/** What a plan's document shows of a component, whichever search it comes from. */
export type ShownItem = {
  readonly name: string
  readonly address?: string | undefined
  readonly url?: string | undefined
  readonly rating?: number | undefined
  readonly price?: { readonly amount: number; readonly currency: string } | undefined
  readonly at?: { readonly lat: number; readonly lon: number } | undefined
  /** The day and the time that a person chose for it. */
  readonly date?: string | undefined
  readonly time?: string | undefined
}

export type ShownStay = ShownItem & {
  readonly listingId?: string | undefined
  readonly checkin?: string | undefined
  readonly checkout?: string | undefined
}

export type ShownComponents = {
  readonly flights: readonly FlightOffer[]
  readonly stays: readonly ShownStay[]
  readonly activities: readonly ShownItem[]
  readonly transportation: readonly ShownItem[]
}

const Text = z.string().trim().min(1).max(500).optional().catch(undefined)
const Coordinate = z.number().optional().catch(undefined)
const Day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .optional()
  .catch(undefined)
const Time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
  .optional()
  .catch(undefined)

// Fields of other vendors and of people who write an item by hand are read as well.
const Item = z.object({
  name: Text,
  title: Text,
  mode: Text,
  from: Text,
  to: Text,
  address: Text,
  formattedAddress: Text,
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .catch(undefined),
  rating: z.number().optional().catch(undefined),
  lat: Coordinate,
  lon: Coordinate,
  lng: Coordinate,
  date: Day,
  time: Time,
  listingId: Text,
  checkin: Day,
  checkout: Day,
})

/** Reads the parts of a plan. Items that have no name are left out; foreign fields are ignored. */
export function readComponents(components: PlanComponents): ShownComponents {
  return {
    flights: components.flights.flatMap((item) => {
      const offer = FlightOffer.safeParse(item)
      return offer.success ? [offer.data] : []
    }),
    stays: components.accommodations.flatMap(toItem),
    activities: components.activities.flatMap(toItem),
    transportation: components.transportation.flatMap(toItem),
  }
}

function toItem(raw: SearchItem): readonly ShownStay[] {
  const item = Item.parse(raw)
  const name = item.name ?? item.title ?? routeName(item)
  if (name === undefined) return []
  const lon = item.lon ?? item.lng
  const price = priceOf(raw)
  return [
    {
      name,
      address: item.address ?? item.formattedAddress,
      url: item.url,
      rating: item.rating,
      price,
      at: isOnEarth(item.lat, lon) ? { lat: Number(item.lat), lon: Number(lon) } : undefined,
      date: item.date,
      time: item.time,
      listingId: item.listingId,
      checkin: item.checkin,
      checkout: item.checkout,
    },
  ]
}

function routeName({ mode, from, to }: z.output<typeof Item>): string | undefined {
  if (from === undefined || to === undefined) return mode
  return `${mode === undefined ? '' : `${mode}: `}${from} – ${to}`
}

function isOnEarth(lat: number | undefined, lon: number | undefined): boolean {
  return lat !== undefined && lon !== undefined && Math.abs(lat) <= 90 && Math.abs(lon) <= 180
}
