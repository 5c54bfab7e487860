import type { Page } from '../pages-port.ts'
import { limitFacts } from './limit-facts.ts'

/** The metadata of a page without its tree: the metadata tags in order, and the JSON-LD blocks. */
type PageDigest = { readonly html: string; readonly jsonLd: readonly string[] }

/**
 * Limits against hostile pages: the size of the tree that is parsed, and the number of searches for
 * an end that does not exist. All of them may be raised a little.
 */
const MAX_TAGS = 400
const MAX_BLOCKS = 50
const MAX_UNCLOSED = 100
const MAX_TAG_LENGTH = 8_000
const MAX_TITLE_LENGTH = 2_000
const MAX_BLOCK_LENGTH = 300_000
const MAX_CHARACTERS = 200_000

const TAG =
  /<(?:!--|(?:html|meta|link|img|title|script|style|noscript|template|textarea|svg)(?=[\s/>]))/gi
const METADATA_TAG = /^(?:html|meta|link|img)$/
const JSON_LD = /\btype\s*=\s*["']?application\/ld\+json/i

type TagWithContent = { readonly name: string; readonly tag: string; readonly inner: string }

/**
 * Reads a page once, from left to right, without building its tree: for a hundred kilobytes of
 * nested tags that takes a minute, during which the process serves no other call.
 */
export function digestPage(page: string): PageDigest {
  const tags: string[] = []
  const jsonLd: string[] = []
  let room = MAX_CHARACTERS
  for (const { name, tag, inner } of scanTags(page)) {
    if (
      name === 'script' &&
      JSON_LD.test(tag) &&
      inner.length <= MAX_BLOCK_LENGTH &&
      jsonLd.length < MAX_BLOCKS
    )
      jsonLd.push(inner)
    const text = toMetadata(name, tag, inner)
    if (text === undefined || text.length > room || tags.length === MAX_TAGS) continue
    room -= text.length
    tags.push(text)
  }
  return { html: `<!doctype html>${tags.join('')}`, jsonLd }
}

function toMetadata(name: string, tag: string, inner: string): string | undefined {
  if (name === 'title') return `<title>${withoutTags(inner.slice(0, MAX_TITLE_LENGTH))}</title>`
  return METADATA_TAG.test(name) ? `<${withoutTags(tag.slice(1))}` : undefined
}

// Another parser may see the end of a tag earlier: what follows there must not open one either.
const withoutTags = (text: string): string => text.replaceAll('<', '&lt;')

function* scanTags(page: string): Generator<TagWithContent> {
  const pattern = new RegExp(TAG)
  let unclosed = 0
  for (
    let found = pattern.exec(page);
    found !== null && unclosed < MAX_UNCLOSED;
    found = pattern.exec(page)
  ) {
    const name = found[0].slice(1).toLowerCase()
    if (name === '!--') {
      pattern.lastIndex = orEnd(page, page.indexOf('-->', found.index))
      continue
    }
    const end = findTagEnd(page, found.index)
    if (end === undefined) {
      unclosed++
      continue
    }
    const close = METADATA_TAG.test(name) ? end : findClosingTag(page, name, end)
    yield { name, tag: page.slice(found.index, end), inner: page.slice(end, close) }
    pattern.lastIndex = close
  }
}

const orEnd = (page: string, at: number): number => (at === -1 ? page.length : at)

// The content of a script, a style or an SVG is not metadata.
function findClosingTag(page: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  pattern.lastIndex = from
  return orEnd(page, pattern.exec(page)?.index ?? -1)
}

// A > within quotes does not end a tag.
function findTagEnd(page: string, from: number): number | undefined {
  const last = Math.min(page.length, from + MAX_TAG_LENGTH)
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

/** Real blocks have a depth of at most eight. */
const MAX_DEPTH = 32

/** Parses a JSON-LD block; undefined if it is invalid or too deeply nested. */
function parseJsonLd(block: string): unknown {
  // Many pages have line breaks within strings.
  const text = block.replace(/[\r\n]/g, ' ').trim()
  try {
    return nestingDepth(text) > MAX_DEPTH ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

// Brackets within strings do not count.
function nestingDepth(text: string): number {
  let [depth, maxDepth] = [0, 0]
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (isText) {
      if (character === '\\') index++
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') maxDepth = Math.max(maxDepth, ++depth)
    else if (character === '}' || character === ']') depth--
  }
  return maxDepth
}

const MAX_TEXT = 2_000

/** Reads the metadata of a page from its HTML; fetches nothing. */
export async function readPage(html: string, url: string): Promise<Page> {
  const { default: scrape } = await import('open-graph-scraper')
  const digest = digestPage(html)
  // In `url` mode the library would fetch the page itself, bypassing egress.
  const { result } = await scrape({ html: digest.html })
  const { jsonLD: _, success: __, charset: ___, ...graph } = result
  const title = cut(graph.ogTitle ?? graph.twitterTitle ?? graph.dcTitle)
  const description = cut(graph.ogDescription ?? graph.twitterDescription ?? graph.dcDescription)
  const imageUrl = absolute(graph.ogImage?.[0]?.url ?? graph.twitterImage?.[0]?.url, url)
  // The library lists missing values as undefined, which is not JSON.
  const openGraph = limitFacts(JSON.parse(JSON.stringify(graph)))
  return {
    url,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
    siteName: cut(graph.ogSiteName) ?? new URL(url).hostname,
    ...(openGraph === undefined ? {} : { openGraph }),
    jsonLd: digest.jsonLd.map(parseJsonLd).filter((block) => block !== undefined),
    html,
  }
}

function cut(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === undefined || trimmed === '' ? undefined : trimmed.slice(0, MAX_TEXT)
}

function absolute(address: string | undefined, base: string): string | undefined {
  const url = address === undefined ? null : URL.parse(address, base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}
