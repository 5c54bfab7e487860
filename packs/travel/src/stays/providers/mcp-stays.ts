import { ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import { z } from 'zod'
import type { TravelContext } from '../../travel-context.ts'
import { nightsOf } from '../stay-dates.ts'
import { bookingNotFound, listingUnavailable, notBookable } from '../stay-errors.ts'
import type { StayDates, StayListing, StaysPort } from '../stays-port.ts'

// The answer of airbnb_search. Its server flattens lists into texts, and leaves out what is missing.
const Found = z.object({
  id: z.string(),
  url: z.string(),
  demandStayListing: z
    .object({
      description: z
        .object({
          name: z.object({ localizedStringWithTranslationPreference: z.string() }).partial(),
        })
        .partial()
        .optional(),
      location: z
        .object({ coordinate: z.object({ latitude: z.number(), longitude: z.number() }) })
        .partial()
        .optional(),
    })
    .partial()
    .optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  avgRatingA11yLabel: z.string().optional(),
  structuredDisplayPrice: z
    .object({
      primaryLine: z.object({ accessibilityLabel: z.string() }).partial(),
      explanationData: z.object({ priceDetails: z.string() }).partial(),
    })
    .partial()
    .optional(),
})
type Found = z.output<typeof Found>
const Answer = z.object({ searchResults: z.array(z.unknown()).default([]) })

/** How the tools of a mounted MCP server return texts. */
const Content = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
})

const CURRENCIES: Readonly<Record<string, string>> = {
  '₹': 'INR',
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
}

export type McpStaysOptions = Pick<PackGiven, 'call'> & {
  /** The tool of the mounted server that searches, as `airbnb.airbnb_search`. */
  readonly searchTool: string
}

/**
 * Stays of a mounted MCP server, `@openbnb/mcp-server-airbnb`: it searches and cannot book. Its tool
 * is called through the pipeline, so that the pins, permissions and limits of the mount hold.
 */
export function mcpStays({ call, searchTool }: McpStaysOptions): StaysPort {
  const provider = `mcp:${searchTool.split('.')[0]}`
  return {
    async search({ tenant, userId, location, priceMin, priceMax, ...dates }, signal) {
      const input = {
        location,
        checkin: dates.checkin,
        checkout: dates.checkout,
        adults: dates.guests,
        ...(priceMin === undefined ? {} : { minPrice: priceMin }),
        ...(priceMax === undefined ? {} : { maxPrice: priceMax }),
      }
      const data = await callTool({ tenant, userId }, input, signal)
      const listings = parseAnswer(data).flatMap((one) => {
        const found = Found.safeParse(one)
        return found.success ? [toListing(found.data, dates)] : []
      })
      return { listings, provider, estimated: false }
    },
    quote: async ({ listingId }) => {
      throw /^\d+$/.test(listingId)
        ? notBookable(listingId, `https://www.airbnb.com/rooms/${listingId}`)
        : listingUnavailable(listingId)
    },
    book: async ({ listingId }) => {
      throw notBookable(listingId, undefined)
    },
    findBooking: async () => null,
    get: async () => undefined,
    list: async () => [],
    cancel: async ({ reference }) => {
      throw bookingNotFound(reference)
    },
  }

  async function callTool(
    { tenant, userId }: TravelContext,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const outcome = await call({
      tool: searchTool,
      input,
      caller: { tenant, principal: userId, actor: 'user', roles: ['user'], capabilities: [] },
      surface: 'travel',
      signal,
    })
    if (outcome.status === 'done') return outcome.data
    const todo =
      outcome.status === 'pending'
        ? 'it is mounted as a write that needs approval. An administrator can mount it as a read.'
        : 'it did not answer. An administrator can look at the mounted server.'
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `Stays could not be searched with ${searchTool}: ${todo}`,
      { effect: 'none', ...(outcome.status === 'failed' ? { cause: outcome.error } : {}) },
    )
  }
}

function parseAnswer(data: unknown): readonly unknown[] {
  const content = Content.safeParse(data)
  const text = content.success
    ? content.data.content.map((part) => part.text ?? '').join('')
    : typeof data === 'string'
      ? data
      : undefined
  try {
    return Answer.parse(text === undefined ? data : JSON.parse(text)).searchResults
  } catch (cause) {
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      'The search for stays sent an answer that cannot be read.',
      { effect: 'none', cause },
    )
  }
}

function toListing(found: Found, dates: StayDates): StayListing {
  const point = found.demandStayListing?.location?.coordinate
  const name = found.demandStayListing?.description?.name?.localizedStringWithTranslationPreference
  return {
    listingId: found.id,
    name: name ?? `Listing ${found.id}`,
    ...readPrice(found, dates),
    ...readRating(found.avgRatingA11yLabel ?? ''),
    ...(point === undefined ? {} : { lat: point.latitude, lon: point.longitude }),
    url: found.url,
    bookable: false,
  }
}

// "$1,234 for 5 nights, originally $1,400", "€120 per night", "THB 8,500 per night", "$200 CAD total"
const PRICE =
  /(?:([$€£¥₹])|\b([A-Z]{3}))\s?([\d,]+(?:\.\d+)?)(?: ([A-Z]{3})\b)?\s*(?:for (\d+) nights?|(per night))?/

function readPrice({ structuredDisplayPrice }: Found, dates: StayDates) {
  const label = structuredDisplayPrice?.primaryLine?.accessibilityLabel ?? ''
  const [, symbol = '', code, digits = '', suffix, nights, perNight] = PRICE.exec(label) ?? []
  const currency = suffix ?? code ?? CURRENCIES[symbol]
  const amount = Number(digits.replaceAll(',', ''))
  if (currency === undefined || digits === '' || !Number.isFinite(amount)) return {}
  const count = nights === undefined ? nightsOf(dates) : Number(nights)
  const total = perNight === undefined ? amount : amount * count
  return {
    price: Math.round((total / count) * 100) / 100,
    totalPrice: Math.round(total * 100) / 100,
    currency,
  }
}

// "4.87 out of 5 average rating,  123 reviews"
function readRating(label: string) {
  const rating = /([\d.]+) out of 5/.exec(label)?.[1]
  const reviews = /([\d,]+) reviews?/.exec(label)?.[1]
  return {
    ...(rating === undefined ? {} : { rating: Number(rating) }),
    ...(reviews === undefined ? {} : { reviewCount: Number(reviews.replaceAll(',', '')) }),
  }
}
