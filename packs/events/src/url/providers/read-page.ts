import type { Page } from '../pages-port.ts'
import { boundedFacts } from './bounded-facts.ts'

/**
 * What a page says of itself, without its tree: its few telling tags one after another, and its
 * JSON-LD blocks as they stand.
 */
type PageDigest = { readonly html: string; readonly jsonLd: readonly string[] }

/**
 * All are safe to raise a little: they bound what a tree is made of, and how often an end is looked
 * for that never comes.
 */
const MOST_TAGS = 400
const MOST_BLOCKS = 50
const MOST_ENDLESS = 100
const LONGEST_TAG = 8_000
const LONGEST_TITLE = 2_000
const LONGEST_BLOCK = 300_000
const MOST_CHARACTERS = 200_000

const TAG =
  /<(?:!--|(?:html|meta|link|img|title|script|style|noscript|template|textarea|svg)(?=[\s/>]))/gi
const TELLING = /^(?:html|meta|link|img)$/
const JSON_LD = /\btype\s*=\s*["']?application\/ld\+json/i

type Piece = { readonly name: string; readonly tag: string; readonly inner: string }

/**
 * Reads a page once, from left to right. Its tree is never made: of a hundred kilobytes of nested
 * tags that takes a minute, in which nobody else is served. Here nothing is inside of anything.
 */
export function pageDigest(page: string): PageDigest {
  const tags: string[] = []
  const jsonLd: string[] = []
  let room = MOST_CHARACTERS
  for (const { name, tag, inner } of piecesOf(page)) {
    if (
      name === 'script' &&
      JSON_LD.test(tag) &&
      inner.length <= LONGEST_BLOCK &&
      jsonLd.length < MOST_BLOCKS
    )
      jsonLd.push(inner)
    const kept = keepTag(name, tag, inner)
    if (kept === undefined || kept.length > room || tags.length === MOST_TAGS) continue
    room -= kept.length
    tags.push(kept)
  }
  return { html: `<!doctype html>${tags.join('')}`, jsonLd }
}

function keepTag(name: string, tag: string, inner: string): string | undefined {
  if (name === 'title') return `<title>${withoutTags(inner.slice(0, LONGEST_TITLE))}</title>`
  return TELLING.test(name) ? `<${withoutTags(tag.slice(1))}` : undefined
}

// Another parser may see the end of a tag earlier: what follows there must not open one either.
const withoutTags = (text: string): string => text.replaceAll('<', '&lt;')

function* piecesOf(page: string): Generator<Piece> {
  const pattern = new RegExp(TAG)
  let endless = 0
  for (
    let found = pattern.exec(page);
    found !== null && endless < MOST_ENDLESS;
    found = pattern.exec(page)
  ) {
    const name = found[0].slice(1).toLowerCase()
    if (name === '!--') {
      pattern.lastIndex = endOr(page, page.indexOf('-->', found.index))
      continue
    }
    const end = endOfTag(page, found.index)
    if (end === undefined) {
      endless++
      continue
    }
    const close = TELLING.test(name) ? end : closeOf(page, name, end)
    yield { name, tag: page.slice(found.index, end), inner: page.slice(end, close) }
    pattern.lastIndex = close
  }
}

const endOr = (page: string, at: number): number => (at === -1 ? page.length : at)

// what stands in a script, a style or a picture's drawing is no part of the page
function closeOf(page: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  pattern.lastIndex = from
  return endOr(page, pattern.exec(page)?.index ?? -1)
}

// a > within quotes ends no tag
function endOfTag(page: string, from: number): number | undefined {
  const last = Math.min(page.length, from + LONGEST_TAG)
  let quote = ''
  let before = ''
  for (let index = from; index < last; index++) {
    const character = page.charAt(index)
    if (quote !== '') quote = character === quote ? '' : quote
    else if ((character === '"' || character === "'") && before === '=') quote = character
    else if (character === '>') return index + 1
    if (character.trim() !== '') before = character
  }
  return undefined
}

/** Real ones end at eight. */
const DEEPEST = 32

/** A JSON-LD block of a page; undefined where it is broken or too deeply nested. */
function jsonLdOf(block: string): unknown {
  // many pages break their lines within a text
  const text = block.replace(/[\r\n]/g, ' ').trim()
  try {
    return depthOf(text) > DEEPEST ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

// a bracket within a text opens nothing
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0]
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (isText) {
      if (character === '\\') index++
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
  }
  return deepest
}

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
