import { z } from 'zod'

/** Where an item was found. */
export const FeedSource = z.enum([
  'openai_web_search',
  'gemini_google_grounding',
  'maps_places',
  'social',
])
export type FeedSource = z.output<typeof FeedSource>

/** Something found outside, shown as a card in a chat. */
export const ExternalFeedItem = z.object({
  feed_item_id: z.string(),
  source: FeedSource,
  title: z.string(),
  snippet: z.string().optional(),
  url: z.string(),
  phone: z.string().optional(),
  location_text: z.string().optional(),
  confidence: z.number().min(0).max(1).optional(),
})
export type ExternalFeedItem = z.output<typeof ExternalFeedItem>

/** What an engine found, before it is stored. */
export type FoundItem = {
  readonly title: string
  /** Undefined where the engine names none: such an item is dropped. */
  readonly url: string | undefined
  readonly snippet?: string | undefined
  readonly phone?: string | undefined
  readonly location_text?: string | undefined
  readonly confidence?: number | undefined
  /** Google's id of a place. */
  readonly place_id?: string | undefined
}

const MAX_TITLE = 200
const MAX_SNIPPET = 500
const MAX_URL = 2_000
/** Parameters that say where a visitor comes from; with them, one page would be stored twice. */
const TRACKING = /^(?:utm_\w+|gclid|fbclid|igshid|mc_cid|mc_eid|srsltid)$/

/** Items with an address of the web, each address once, shortened to what a card can show. */
export function cleanItems(items: readonly FoundItem[], max: number): readonly CleanItem[] {
  const byUrl = new Map<string, CleanItem>()
  for (const item of items) {
    const url = cleanUrl(item.url)
    if (url === undefined || byUrl.has(url)) continue
    const title = item.title.trim().slice(0, MAX_TITLE)
    byUrl.set(url, {
      ...item,
      url,
      title: title === '' ? new URL(url).hostname : title,
      snippet: item.snippet?.trim().slice(0, MAX_SNIPPET) || undefined,
    })
  }
  return [...byUrl.values()].slice(0, max)
}

export type CleanItem = FoundItem & { readonly url: string }

function cleanUrl(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_URL || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  for (const name of [...url.searchParams.keys()])
    if (TRACKING.test(name)) url.searchParams.delete(name)
  url.hash = ''
  url.username = ''
  url.password = ''
  return url.href
}
