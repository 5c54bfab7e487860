import { defineTool } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { greatCircleMeters } from '@surehand/places'
import { z } from 'zod'
import { READ } from '../contract.ts'
import { marketData, numberOf, type Reader, readerOf, textOf } from '../market-data.ts'
import { requireRequest } from '../request/store-request.ts'

const DEFAULT_RADIUS_KM = 5
const MAX_RADIUS_KM = 15
const DEFAULT_LIMIT = 5
const MAX_LIMIT = 15
const KM_PER_DEGREE = 111.32

const Filters = z.object({
  location_radius_km: z.number().positive().max(MAX_RADIUS_KM).optional(),
  min_rating: z.number().min(0).max(5).optional(),
  tags: z
    .array(z.string().min(1).max(60))
    .max(10)
    .optional()
    .describe('Vendors with all of these.'),
})

export const searchVendors = defineTool({
  id: 'marketplace.search_vendors',
  title: 'Find vendors',
  category: 'marketplace',
  description:
    'Vendors who may have what a request asks for: active, of the category, near the place of the request, and not yet asked for it. The best are first: by category, distance, how fast they answer, and rating. total_available counts all that match.',
  version: '1.0.0',
  input: z.object({
    request_id: z.string().min(1).max(100),
    category: z.string().trim().min(1).max(100).describe('For example: pharmacy, hardware.'),
    filters: Filters.optional(),
    limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  }),
  output: z.object({
    vendors: z.array(
      z.object({
        vendor_id: z.string(),
        name: z.string(),
        phone: z.string(),
        distance_km: z.number().optional(),
        rating: z.number().optional(),
        tags: z.array(z.string()).optional(),
      }),
    ),
    total_available: z.int(),
  }),
  contract: { ...READ, effect: 'read', timeout: '5s', latencyBudget: '100ms' },
  requestId: ({ request_id: id }) => id,
  ports: { data: marketData },
  examples: [
    { name: 'pharmacies', input: { request_id: 'req_1', category: 'pharmacy' } },
    {
      name: 'well rated, further away',
      input: {
        request_id: 'req_1',
        category: 'pharmacy',
        filters: { location_radius_km: 15, min_rating: 4, tags: ['24h'] },
        limit: 10,
      },
    },
  ],
  execute: async ({ input, caller: { tenant }, ports, signal }) => {
    const read = readerOf(ports.data, signal)
    const request = await requireRequest(read, tenant, input.request_id)
    const { location_radius_km: radiusKm = DEFAULT_RADIUS_KM } = input.filters ?? {}
    const place =
      request.lat === undefined || request.lng === undefined
        ? undefined
        : { lat: request.lat, lng: request.lng }
    const rows = await readCandidates(read, {
      tenant,
      requestId: request.id,
      category: input.category.toLowerCase(),
      place,
      radiusKm,
    })
    const found = rows
      .map((row) => toCandidate(row, place))
      .filter((vendor) => matches(vendor, input.filters ?? {}, radiusKm))
      .sort((left, right) => right.score - left.score || left.id.localeCompare(right.id))
    return {
      vendors: found.slice(0, input.limit).map(toView),
      total_available: found.length,
    }
  },
})

type Place = { readonly lat: number; readonly lng: number }

type Candidate = {
  readonly id: string
  readonly name: string
  readonly phone: string
  readonly km: number | undefined
  readonly rating: number | undefined
  readonly tags: readonly string[]
  readonly score: number
}

// The box around the circle is found in the index; the corners are left out afterwards.
async function readCandidates(
  read: Reader,
  wanted: {
    readonly tenant: string
    readonly requestId: string
    readonly category: string
    readonly place: Place | undefined
    readonly radiusKm: number
  },
): Promise<readonly Row[]> {
  const { tenant, requestId, category, place, radiusKm } = wanted
  const columns = 'v.id, v.name, v.phone, v.lat, v.lng, v.rating, v.reply_hours, v.tags, c.points'
  const from = `from mk_vendor_categories c join mk_vendors v on v.tenant = c.tenant and v.id = c.vendor_id`
  const open = `v.active = 1 and v.opted_out_at is null
    and not exists (select 1 from mk_outreach o where o.tenant = c.tenant and o.request_id = ? and o.vendor_id = c.vendor_id)`
  if (place === undefined)
    return read(
      `select ${columns} ${from} where c.tenant = ? and c.category = ? and ${open}`,
      tenant,
      category,
      requestId,
    )
  const dLat = radiusKm / KM_PER_DEGREE
  const dLng = dLat / Math.max(0.01, Math.cos((place.lat * Math.PI) / 180))
  return read(
    `select ${columns} ${from} where c.tenant = ? and c.category = ? and c.lat between ? and ? and c.lng between ? and ? and ${open}`,
    tenant,
    category,
    place.lat - dLat,
    place.lat + dLat,
    place.lng - dLng,
    place.lng + dLng,
    requestId,
  )
}

function toCandidate(row: Row, place: Place | undefined): Candidate {
  const lat = numberOf(row.lat)
  const lng = numberOf(row.lng)
  const km =
    place === undefined || lat === undefined || lng === undefined
      ? undefined
      : greatCircleMeters(place, { lat, lng }) / 1000
  const rating = numberOf(row.rating)
  return {
    id: String(row.id),
    name: String(row.name),
    phone: String(row.phone),
    km,
    rating,
    tags: JSON.parse(textOf(row.tags) ?? '[]') as readonly string[],
    score: scoreVendor({
      points: Number(row.points),
      km,
      replyHours: numberOf(row.reply_hours),
      rating,
    }),
  }
}

/** The score of a vendor, from 20 to 100. What is not known earns nothing. */
export function scoreVendor({
  points,
  km,
  replyHours,
  rating,
}: {
  /** 40 for a vendor's own category, 20 for one that it also sells. */
  readonly points: number
  readonly km: number | undefined
  readonly replyHours: number | undefined
  readonly rating: number | undefined
}): number {
  return (
    points +
    (km === undefined ? 0 : Math.max(0, 30 - 2 * km)) +
    (replyHours === undefined ? 0 : Math.max(0, 20 - 2 * replyHours)) +
    (rating === undefined ? 0 : Math.min(10, 2 * rating))
  )
}

function matches(
  { km, rating, tags }: Candidate,
  { min_rating: minRating, tags: wanted = [] }: z.output<typeof Filters>,
  radiusKm: number,
): boolean {
  if (km !== undefined && km > radiusKm) return false
  if (minRating !== undefined && (rating ?? 0) < minRating) return false
  const held = new Set(tags.map((tag) => tag.toLowerCase()))
  return wanted.every((tag) => held.has(tag.toLowerCase()))
}

function toView({ id, name, phone, km, rating, tags }: Candidate) {
  return {
    vendor_id: id,
    name,
    phone,
    ...(km === undefined ? {} : { distance_km: Math.round(km * 100) / 100 }),
    ...(rating === undefined ? {} : { rating }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
  }
}
