import { type Item, Microdata } from './microdata.ts'
import { scanHtml, type Tag } from './scan-html.ts'

export type HtmlFacts = {
  readonly title?: string
  readonly headings: readonly string[]
  /** By name or property, in lower case. */
  readonly meta: ReadonlyMap<string, string>
  readonly jsonLd: readonly unknown[]
  readonly items: readonly Item[]
  /** The attribute `datetime` of its `time` elements. */
  readonly times: readonly string[]
  /** The visible text, one line per block. */
  readonly text: string
}

const HIDDEN = /^(?:script|style|noscript|template|svg|iframe|textarea|title)$/
const BLOCK =
  /^(?:p|div|section|article|main|header|footer|nav|aside|ul|ol|li|dl|dt|dd|h[1-6]|table|tr|td|th|br|hr|form|figure|figcaption|blockquote|address|pre|body|details|summary)$/
// Parts that are the same on every page of a site.
const SITE_FRAME = /^(?:nav|footer)$/

/** Reads the facts of a page from its HTML. */
export function readHtml(html: string): HtmlFacts {
  const meta = new Map<string, string>()
  const [headings, times, lines, jsonLd]: [string[], string[], string[], unknown[]] = [
    [],
    [],
    [''],
    [],
  ]
  const microdata = new Microdata()
  let [title, heading, script, frames] = ['', '', '', 0]
  const push = (text: string) => lines.splice(-1, 1, `${lines.at(-1) ?? ''}${text}`)
  const open = (tag: Tag) => {
    if (tag.name === 'meta') addMeta(tag, meta)
    if (tag.name === 'time') times.push(tag.attributes.get('datetime') ?? '')
    if (/^h[1-3]$/.test(tag.name)) heading = ' '
    if (SITE_FRAME.test(tag.name)) frames++
    if (BLOCK.test(tag.name)) lines.push('')
    script = tag.name === 'script' ? (tag.attributes.get('type') ?? '') : script
    microdata.open(tag)
  }
  for (const token of scanHtml(html)) {
    if (token.kind === 'open') open(token)
    else if (token.kind === 'close') {
      if (/^h[1-3]$/.test(token.name) && heading !== '') headings.push(collapseSpaces(heading))
      if (/^h[1-3]$/.test(token.name)) heading = ''
      if (SITE_FRAME.test(token.name)) frames = Math.max(0, frames - 1)
      if (BLOCK.test(token.name)) lines.push('')
      microdata.close(token.name)
    } else if (HIDDEN.test(token.of)) {
      if (token.of === 'title' && title === '') title = collapseSpaces(token.text)
      if (token.of === 'script' && /ld\+json/i.test(script)) jsonLd.push(...parseJson(token.text))
    } else {
      if (heading !== '') heading += token.text
      microdata.text(token.text)
      if (frames === 0) push(token.text)
    }
  }
  return {
    ...(title === '' ? {} : { title }),
    headings: headings.filter((text) => text !== ''),
    meta,
    jsonLd,
    items: microdata.items,
    times: times.filter((time) => time !== ''),
    text: lines
      .map(collapseSpaces)
      .filter((line) => line !== '')
      .join('\n'),
  }
}

function addMeta({ attributes }: Tag, meta: Map<string, string>): void {
  const name = (attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase()
  const content = attributes.get('content')
  if (name !== '' && content !== undefined && !meta.has(name)) meta.set(name, content.trim())
}

function parseJson(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text) as unknown]
  } catch {
    return []
  }
}

function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
