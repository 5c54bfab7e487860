import { readHtml } from './html/read-html.ts'
import { findStructuredEvent, type StructuredEvent } from './structured.ts'

/** A page as the port `pages` returns it; at least its URL and HTML. */
export type ExtractPage = {
  readonly url: string
  readonly html: string
  readonly title?: string
  readonly description?: string
  readonly imageUrl?: string
  readonly siteName?: string
  readonly oEmbed?: Readonly<Record<string, unknown>>
  readonly openGraph?: Readonly<Record<string, unknown>>
  readonly jsonLd?: readonly unknown[]
}

export type PageFacts = {
  readonly structured?: StructuredEvent
  /** Its possible titles, the likeliest first. */
  readonly titles: readonly string[]
  readonly text: string
  /** The values of its `time` elements and meta tags. */
  readonly moments: readonly string[]
  readonly imageUrl?: string
}

/** Reads the facts about an event from structured data, and the text of the page. */
export function readPageFacts(page: ExtractPage, today: string): PageFacts {
  const html = readHtml(page.html)
  const structured =
    findStructuredEvent({ jsonLd: page.jsonLd ?? html.jsonLd, items: html.items }, today) ??
    undefined
  const site = page.siteName ?? html.meta.get('og:site_name')
  const tagged =
    page.title ??
    html.meta.get('og:title') ??
    html.meta.get('twitter:title') ??
    textIn(page.oEmbed, 'title')
  const titles = [tagged, html.headings[0], html.title].flatMap((title) =>
    title === undefined ? [] : [withoutSite(collapseSpaces(title), site)],
  )
  const description =
    page.description ?? html.meta.get('og:description') ?? html.meta.get('description')
  const moments = [
    html.meta.get('event:start_time'),
    html.meta.get('og:start_time'),
    ...html.times,
  ].filter((one) => one !== undefined)
  const imageUrl = page.imageUrl ?? html.meta.get('og:image')
  return {
    ...(structured === undefined ? {} : { structured }),
    titles: [...new Set(titles.filter((title) => title !== ''))],
    text: [html.text, description ?? ''].filter((part) => part !== '').join('\n'),
    moments,
    ...(imageUrl === undefined ? {} : { imageUrl }),
  }
}

const MAX_TITLE_LENGTH = 1_000

function collapseSpaces(title: string): string {
  return title.replace(/\s+/g, ' ').slice(0, MAX_TITLE_LENGTH)
}

// "Jazz in the park | Eventseite": the part after the separator is the site.
function withoutSite(title: string, site: string | undefined): string {
  const parts = title.split(/\s+[|·–—»]\s+|\s+-\s+/u)
  const isSite = (part: string) =>
    site !== undefined && part.trim().toLowerCase() === site.trim().toLowerCase()
  const remaining = parts.filter((part) => !isSite(part))
  // If the site's name is unknown, the last part is removed only if it is short.
  const last = remaining.at(-1)
  if (
    remaining.length === parts.length &&
    remaining.length > 1 &&
    /\s+[|·»]\s+/u.test(title) &&
    last !== undefined &&
    last.length < 30
  )
    remaining.pop()
  return remaining.length === parts.length ? title.trim() : remaining.join(' – ').trim()
}

function textIn(
  facts: Readonly<Record<string, unknown>> | undefined,
  name: string,
): string | undefined {
  const value = facts?.[name]
  return typeof value === 'string' ? value : undefined
}
