import { Parser } from 'htmlparser2'
import { canonicalUrl } from './canonical-url.ts'

/** What one pass over a page's tags finds, without building its tree. */
export type PageScan = {
  readonly title: string
  readonly description: string
  readonly language: string
  /** The page's own statement of its address; within its origin. */
  readonly canonical: string | undefined
  /** Canonical URLs of links that may be followed, in order, each once. */
  readonly links: readonly string[]
  readonly isIndexable: boolean
  /** The visible text, for pages whose tree is too large to build. */
  readonly text: string
  readonly elements: number
  readonly depth: number
}

const MAX_LINKS = 2_000
const MAX_TEXT = 400_000
const MAX_TITLE = 500
// The parser takes quadratic time for nested tags. No real page is nested as deep as this.
const MAX_DEPTH = 1_000
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'nav', 'footer'])
const BLOCK = /^(?:p|div|li|tr|h[1-6]|br|section|article|blockquote|pre|dt|dd|table|ul|ol|main)$/

/** Reads a page once, from left to right. */
export function scanPage(html: string, url: string): PageScan {
  const scanner = new Scanner(url)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (scanner.open(name, attributes) > MAX_DEPTH) parser.pause()
      },
      ontext: (text) => scanner.read(text),
      onclosetag: (name) => scanner.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(html)
  return scanner.result()
}

// Headings and lists as in Markdown, also where no tree is built.
function markOf(name: string): string {
  if (name === 'li') return '\n- '
  const level = /^h([1-6])$/.exec(name)?.[1]
  return level === undefined ? '\n' : `\n${'#'.repeat(Number(level))} `
}

type Attributes = Readonly<Record<string, string>>

class Scanner {
  readonly #url: string
  readonly #links = new Set<string>()
  readonly #text: string[] = []
  #base: string
  #canonical: string | undefined
  #title = ''
  #description = ''
  #language = ''
  #isIndexable = true
  #mayFollow = true
  #elements = 0
  #depth = 0
  #maxDepth = 0
  #silentDepth = 0
  #textLength = 0
  #isInTitle = false

  constructor(url: string) {
    this.#url = url
    this.#base = url
  }

  /** Returns the depth of the element. */
  open(name: string, attributes: Attributes): number {
    this.#elements++
    if (!VOID.has(name)) this.#maxDepth = Math.max(this.#maxDepth, ++this.#depth)
    if (SILENT.has(name)) this.#silentDepth++
    if (BLOCK.test(name)) this.#addText(markOf(name))
    switch (name) {
      case 'html':
        this.#language = (attributes.lang ?? '').slice(0, 35)
        break
      case 'title':
        this.#isInTitle = this.#title === ''
        break
      case 'base':
        if (attributes.href !== undefined && URL.canParse(attributes.href, this.#url))
          this.#base = new URL(attributes.href, this.#url).href
        break
      case 'meta':
        this.#readMeta(attributes)
        break
      case 'link':
        this.#readLink(attributes)
        break
      case 'a':
      case 'area':
        this.#addLink(attributes)
    }
    return this.#depth
  }

  read(text: string): void {
    if (this.#isInTitle) this.#title = (this.#title + text).slice(0, MAX_TITLE)
    else if (this.#silentDepth === 0) this.#addText(text)
  }

  close(name: string): void {
    if (!VOID.has(name)) this.#depth--
    if (SILENT.has(name) && this.#silentDepth > 0) this.#silentDepth--
    if (name === 'title') this.#isInTitle = false
  }

  result(): PageScan {
    return {
      title: this.#title.replace(/\s+/g, ' ').trim(),
      description: this.#description,
      language: this.#language,
      canonical: this.#canonical,
      links: this.#mayFollow ? [...this.#links] : [],
      isIndexable: this.#isIndexable,
      text: this.#text
        .join('')
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ ?\n[\n ]*/g, '\n')
        .trim(),
      elements: this.#elements,
      depth: this.#maxDepth,
    }
  }

  #readMeta({ name = '', content = '', property = '' }: Attributes): void {
    const key = (name === '' ? property : name).toLowerCase()
    if (key === 'description' || (key === 'og:description' && this.#description === ''))
      this.#description = content.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE)
    if (key === 'og:title' && this.#title === '') this.#title = content.slice(0, MAX_TITLE)
    if (key !== 'robots') return
    if (/\b(?:noindex|none)\b/i.test(content)) this.#isIndexable = false
    if (/\b(?:nofollow|none)\b/i.test(content)) this.#mayFollow = false
  }

  #readLink({ rel = '', href }: Attributes): void {
    if (href === undefined || !/\bcanonical\b/i.test(rel)) return
    const canonical = canonicalUrl(href, this.#base)
    if (canonical !== undefined && new URL(canonical).origin === new URL(this.#url).origin)
      this.#canonical = canonical
  }

  #addLink({ href, rel = '' }: Attributes): void {
    if (href === undefined || this.#links.size >= MAX_LINKS || /\bnofollow\b/i.test(rel)) return
    const link = canonicalUrl(href, this.#base)
    if (link !== undefined) this.#links.add(link)
  }

  #addText(text: string): void {
    if (this.#textLength >= MAX_TEXT) return
    this.#textLength += text.length
    this.#text.push(text)
  }
}
