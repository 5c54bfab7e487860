/** What a page says of itself, without its tree: its few telling tags one after another, and its JSON-LD blocks as they stand. */
export type PageDigest = { readonly html: string; readonly jsonLd: readonly string[] }

/** All are safe to raise a little: they bound what a tree is made of, and how often an end is looked for that never comes. */
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
 * Reads a page once, from left to right. Its tree is never made: of a hundred kilobytes of nested tags that takes a minute,
 * in which nobody else is served. Here nothing is inside of anything.
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
    const told = toldBy(name, tag, inner)
    if (told === undefined || told.length > room || tags.length === MOST_TAGS) continue
    room -= told.length
    tags.push(told)
  }
  return { html: `<!doctype html>${tags.join('')}`, jsonLd }
}

function toldBy(name: string, tag: string, inner: string): string | undefined {
  if (name === 'title') return `<title>${withoutTags(inner.slice(0, LONGEST_TITLE))}</title>`
  return TELLING.test(name) ? `<${withoutTags(tag.slice(1))}` : undefined
}

// whoever reads it next may see the end of a tag earlier than we do: what follows there opens nothing either
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
