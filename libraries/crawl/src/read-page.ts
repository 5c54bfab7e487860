import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import { type PageScan, scanPage } from './scan-page.ts'
import { removeInvisible } from './untrusted-text.ts'

/** A page of the web, with its main text as Markdown. Everything in it is untrusted. */
export type WebPage = {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly language: string
  readonly markdown: string
  /** 'article': its main text; 'page': all its text; 'plain': all its text without links. */
  readonly extraction: 'article' | 'page' | 'plain'
  /** Canonical URLs, within and outside the site. */
  readonly links: readonly string[]
  /** The address that the page itself says is its own. */
  readonly canonical: string | undefined
  /** False where the page asks not to be indexed. */
  readonly isIndexable: boolean
  readonly isTruncated: boolean
}

// A tree is only built within these limits: it takes about 0.2 ms per element, in a thread that all
// crawls share, and nested tags take quadratic time and overflow the stack.
const MAX_ELEMENTS = 3_000
const MAX_DEPTH = 150
const MAX_TREE_CHARACTERS = 600_000
const MAX_MARKDOWN = 200_000
/** A main text shorter than this part of the page is probably a wrong choice. */
const MIN_ARTICLE_PART = 0.1

const HIDDEN =
  'script,style,noscript,template,svg,iframe,object,embed,[hidden],[aria-hidden="true"],[style*="display:none"],[style*="display: none"],[style*="visibility:hidden"],[style*="visibility: hidden"],[style*="font-size:0"],[style*="font-size: 0"],[style*="opacity:0;"]'

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
})
turndown.remove(['script', 'style', 'noscript', 'form', 'button', 'input', 'select', 'textarea'])
// Pictures cannot be seen by a model that reads text, and a data: URL is long.
turndown.addRule('pictures', {
  filter: ['img', 'picture', 'video', 'audio', 'canvas'],
  replacement: (_, node) => ('alt' in node && typeof node.alt === 'string' ? node.alt : ''),
})

/**
 * Reads a page from its HTML; fetches nothing. Broken, nested and large pages are read without a tree:
 * as text with headings and lists.
 *
 * @example
 * const page = readPage('<title>Lisbon</title><article><p>Trams …</p></article>', 'https://example.com/')
 */
export function readPage(html: string, url: string): WebPage {
  const scan = scanPage(html, url)
  return toPage(url, scan, extractMarkdown(html, url, scan))
}

/** The same without building a tree: as text with headings and lists. */
export function readPageAsText(html: string, url: string): WebPage {
  const scan = scanPage(html, url)
  return toPage(url, scan, { markdown: scan.text, extraction: 'plain' })
}

function toPage(url: string, scan: PageScan, { markdown, extraction }: Extracted): WebPage {
  const visible = removeInvisible(markdown).trim()
  return {
    url,
    title: removeInvisible(scan.title),
    description: removeInvisible(scan.description),
    language: scan.language,
    markdown: visible.slice(0, MAX_MARKDOWN),
    extraction,
    links: scan.links,
    canonical: scan.canonical,
    isIndexable: scan.isIndexable,
    isTruncated: visible.length > MAX_MARKDOWN,
  }
}

type Extracted = Pick<WebPage, 'markdown' | 'extraction'>

function extractMarkdown(html: string, url: string, scan: PageScan): Extracted {
  const plain: Extracted = { markdown: scan.text, extraction: 'plain' }
  const isTooLarge =
    scan.elements > MAX_ELEMENTS || scan.depth > MAX_DEPTH || html.length > MAX_TREE_CHARACTERS
  if (isTooLarge) return plain
  try {
    return extractFromTree(html, url, scan.text.length) ?? plain
  } catch {
    // The libraries throw on trees that no browser would build; the text is still useful.
    return plain
  }
}

function extractFromTree(html: string, url: string, length: number): Extracted | undefined {
  const article = new Readability(openTree(html, url), { charThreshold: 200 }).parse()
  if (typeof article?.content === 'string') {
    const markdown = toMarkdown(parseHTML(wrapFragment(article.content)).document.body)
    if (markdown !== '' && markdown.length >= length * MIN_ARTICLE_PART)
      return { markdown, extraction: 'article' }
  }
  // Readability has changed the first tree.
  const whole = toMarkdown(openTree(html, url).body)
  return whole === '' ? undefined : { markdown: whole, extraction: 'page' }
}

type HtmlDocument = ReturnType<typeof parseHTML>['document']

function openTree(html: string, url: string): HtmlDocument {
  const { document } = parseHTML(wrapFragment(html))
  for (const element of document.querySelectorAll(HIDDEN)) element.remove()
  makeLinksAbsolute(document, url)
  return document
}

// linkedom builds a document without a body from a fragment.
function wrapFragment(html: string): string {
  return /<body[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`
}

function makeLinksAbsolute(document: HtmlDocument, url: string): void {
  for (const link of document.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? ''
    const absolute = URL.canParse(href, url) ? new URL(href, url) : undefined
    if (absolute?.protocol === 'http:' || absolute?.protocol === 'https:')
      link.setAttribute('href', absolute.href)
    else link.removeAttribute('href')
  }
}

function toMarkdown(body: HtmlDocument['body']): string {
  return turndown
    .turndown(body)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
