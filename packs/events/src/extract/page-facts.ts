import { readHtml } from './html/read-html.ts'
import { type Structured, structuredEvent } from './structured.ts'

/** A page as the port `pages` gives it, or as little as its address and markup. */
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
  readonly structured?: Structured
  /** What it calls itself, the likeliest first. */
  readonly titles: readonly string[]
  readonly text: string
  /** Of its `time` elements and tags. */
  readonly moments: readonly string[]
  readonly imageUrl?: string
}

/** What a page says of an event: first where it is meant for machines, then to people. */
export function pageFacts(page: ExtractPage, today: string): PageFacts {
  const html = readHtml(page.html)
  const structured =
    structuredEvent({ jsonLd: page.jsonLd ?? html.jsonLd, items: html.items }, today) ?? undefined
  const site = page.siteName ?? html.meta.get('og:site_name')
  const tagged =
    page.title ??
    html.meta.get('og:title') ??
    html.meta.get('twitter:title') ??
    textIn(page.oEmbed, 'title')
  const titles = [tagged, html.headings[0], html.title].flatMap((title) =>
    title === undefined ? [] : [withoutSite(squeezed(title), site)],
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

const LONGEST_TITLE = 1_000

function squeezed(title: string): string {
  return title.replace(/\s+/g, ' ').slice(0, LONGEST_TITLE)
}

// "Jazz in the park | Eventseite": what stands behind the stroke is the site
function withoutSite(title: string, site: string | undefined): string {
  const parts = title.split(/\s+[|·–—»]\s+|\s+-\s+/u)
  const isSite = (part: string) =>
    site !== undefined && part.trim().toLowerCase() === site.trim().toLowerCase()
  const kept = parts.filter((part) => !isSite(part))
  // without its site's name a title with a stroke is cut only where the last part is short
  const last = kept.at(-1)
  if (
    kept.length === parts.length &&
    kept.length > 1 &&
    /\s+[|·»]\s+/u.test(title) &&
    last !== undefined &&
    last.length < 30
  )
    kept.pop()
  return kept.length === parts.length ? title.trim() : kept.join(' – ').trim()
}

function textIn(
  facts: Readonly<Record<string, unknown>> | undefined,
  name: string,
): string | undefined {
  const value = facts?.[name]
  return typeof value === 'string' ? value : undefined
}
