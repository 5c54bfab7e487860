import { gunzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'

export type SitemapEntry = {
  readonly url: string
  /** As the sitemap says it: a day or an RFC 3339 time. */
  readonly lastModified?: string
}

export type Sitemap =
  | { readonly kind: 'pages'; readonly entries: readonly SitemapEntry[] }
  | { readonly kind: 'index'; readonly entries: readonly SitemapEntry[] }
  | { readonly kind: 'refused'; readonly why: string }

/** The protocol allows 50,000 entries and 50 MB; less is enough for a crawl of some pages. */
const MAX_ENTRIES = 50_000
const MAX_BYTES = 20 * 1024 * 1024
const MAX_URL_LENGTH = 2_048

/**
 * Reads a sitemap, an index of sitemaps, or a text file with one URL per line; compressed with gzip
 * or not. A document type is refused: sitemaps have none, and entities could expand without limit.
 */
export function readSitemap(bytes: Uint8Array): Sitemap {
  const text = decompress(bytes)
  if (text === undefined) return { kind: 'refused', why: 'it cannot be decompressed' }
  if (/^\s*https?:\/\//.test(text)) return { kind: 'pages', entries: readLines(text) }
  return readXml(text)
}

function decompress(bytes: Uint8Array): string | undefined {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes
    return new TextDecoder().decode(plain)
  } catch {
    return undefined
  }
}

function readLines(text: string): readonly SitemapEntry[] {
  return text
    .split(/\r?\n/, MAX_ENTRIES)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= MAX_URL_LENGTH)
    .map((url) => ({ url }))
}

function readXml(text: string): Sitemap {
  const entries: SitemapEntry[] = []
  let kind: 'pages' | 'index' | undefined
  let why: string | undefined
  let field = ''
  let loc = ''
  let lastmod = ''
  const parser = new Parser(
    {
      onprocessinginstruction(name) {
        if (!/^!doctype/i.test(name)) return
        why = 'it has a document type'
        parser.pause()
      },
      onopentag(name) {
        const local = name.replace(/^.*:/, '')
        if (local === 'urlset') kind = 'pages'
        if (local === 'sitemapindex') kind = 'index'
        // Images and videos have a `loc` of their own, with a prefix.
        field = name === local ? local : ''
      },
      ontext(chunk) {
        if (field === 'loc') loc += chunk
        if (field === 'lastmod') lastmod += chunk
      },
      onclosetag(name) {
        field = ''
        if (name !== 'url' && name !== 'sitemap') return
        const url = loc.trim()
        if (url !== '' && url.length <= MAX_URL_LENGTH && entries.length < MAX_ENTRIES)
          entries.push({ url, ...(lastmod.trim() === '' ? {} : { lastModified: lastmod.trim() }) })
        loc = ''
        lastmod = ''
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  if (why !== undefined) return { kind: 'refused', why }
  return kind === undefined ? { kind: 'refused', why: 'it is no sitemap' } : { kind, entries }
}
