import type { ExternalFeedItem, FeedSource } from './feed-item.ts'

/** A feed item as a chat shows it. */
export type FeedCard = {
  readonly id: string
  readonly title: string
  readonly body: string | undefined
  /** Where it was found; Google's and OpenAI's terms want it named. */
  readonly attribution: string
  readonly link: { readonly label: string; readonly url: string }
  readonly phone: string | undefined
  readonly place: string | undefined
}

const ATTRIBUTIONS: Readonly<Record<FeedSource, string>> = {
  openai_web_search: 'Found on the web (OpenAI web search)',
  gemini_google_grounding: 'Found with Google Search (Gemini)',
  maps_places: 'Google Maps',
  social: 'Public profile',
}
const LABELS: Readonly<Record<FeedSource, string>> = {
  openai_web_search: 'Open the page',
  gemini_google_grounding: 'Open the page',
  maps_places: 'Open in Google Maps',
  social: 'Open the profile',
}

/** The card of an item. Every text comes from outside: a page must escape it. */
export function toFeedCard(item: ExternalFeedItem): FeedCard {
  return {
    id: item.feed_item_id,
    title: item.title,
    body: item.snippet,
    attribution: ATTRIBUTIONS[item.source],
    link: { label: LABELS[item.source], url: item.url },
    phone: item.phone,
    place: item.location_text,
  }
}
