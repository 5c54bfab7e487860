import type { Page } from '../pages-port.ts'
import { boundedFacts } from './bounded-facts.ts'
import { jsonLdOf } from './json-ld-of.ts'
import { pageDigest } from './page-digest.ts'

const MOST_TEXT = 2_000

/** What a page says of itself, from its text alone: nothing is fetched. */
export async function readPage(html: string, url: string): Promise<Page> {
  const { default: scrape } = await import('open-graph-scraper')
  const digest = pageDigest(html)
  // in `url` mode it would fetch by itself, past every rule of ours
  const { result } = await scrape({ html: digest.html })
  const { jsonLD: _, success: __, charset: ___, ...graph } = result
  const title = cut(graph.ogTitle ?? graph.twitterTitle ?? graph.dcTitle)
  const description = cut(graph.ogDescription ?? graph.twitterDescription ?? graph.dcDescription)
  const imageUrl = absolute(graph.ogImage?.[0]?.url ?? graph.twitterImage?.[0]?.url, url)
  // what the library does not find it lists as undefined, which is no JSON
  const openGraph = boundedFacts(JSON.parse(JSON.stringify(graph)))
  return {
    url,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
    siteName: cut(graph.ogSiteName) ?? new URL(url).hostname,
    ...(openGraph === undefined ? {} : { openGraph }),
    jsonLd: digest.jsonLd.map(jsonLdOf).filter((block) => block !== undefined),
    html,
  }
}

function cut(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === undefined || trimmed === '' ? undefined : trimmed.slice(0, MOST_TEXT)
}

function absolute(address: string | undefined, base: string): string | undefined {
  const url = address === undefined ? null : URL.parse(address, base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}
