const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['rsquo', '’'],
  ['lsquo', '‘'],
  ['rdquo', '”'],
  ['ldquo', '“'],
  ['bdquo', '„'],
  ['laquo', '«'],
  ['raquo', '»'],
  ['middot', '·'],
  ['bull', '•'],
  ['euro', '€'],
  ['pound', '£'],
  ['copy', '©'],
  ['reg', '®'],
  ['trade', '™'],
  ['szlig', 'ß'],
  ['iexcl', '¡'],
  ['iquest', '¿'],
  ['ordm', 'º'],
  ['ordf', 'ª'],
  ['oelig', 'œ'],
  ['OElig', 'Œ'],
  ['aelig', 'æ'],
  ['oslash', 'ø'],
  ['Oslash', 'Ø'],
  ['times', '×'],
  ['deg', '°'],
  ['shy', ''],
])
const ACCENTS: ReadonlyMap<string, string> = new Map([
  ['grave', '\u0300'],
  ['acute', '\u0301'],
  ['circ', '\u0302'],
  ['tilde', '\u0303'],
  ['uml', '\u0308'],
  ['ring', '\u030a'],
  ['cedil', '\u0327'],
])

/** Text of a page with its character references written out; one that is not known stays as it is. */
function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? accented(name) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : whole
    },
  )
}

// &eacute; is an e with an acute
function accented(name: string): string | undefined {
  const mark = ACCENTS.get(name.slice(1))
  return mark === undefined ? undefined : `${name.charAt(0)}${mark}`.normalize('NFC')
}

export type Tag = {
  readonly kind: 'open'
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly isClosed: boolean
}
export type Token =
  | Tag
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string; readonly of: string }

const RAW = /^(?:script|style|textarea|title|noscript|template|svg|iframe)$/
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
// a page is read once, from left to right; what is longer is not about one event
const MOST_CHARACTERS = 500_000
const MOST_ATTRIBUTES = 50

/** The tags and texts of a page, in order. Not a browser's tree: enough to find what a page says of itself. */
export function* scanHtml(page: string): Generator<Token> {
  const html = page.slice(0, MOST_CHARACTERS)
  let at = 0
  let inside = ''
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) return yield { kind: 'text', text: decodeEntities(html.slice(at)), of: inside }
    if (open > at) yield { kind: 'text', text: decodeEntities(html.slice(at, open)), of: inside }
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open)
      at = end < 0 ? html.length : end + 3
      continue
    }
    const tag = tagAt(html, open)
    if (tag === undefined) {
      yield { kind: 'text', text: '<', of: inside }
      at = open + 1
      continue
    }
    at = tag.end
    if (tag.token !== undefined) yield tag.token
    if (tag.token?.kind !== 'open' || tag.token.isClosed || !RAW.test(tag.token.name)) continue
    // what stands in a script is no markup
    inside = tag.token.name
    const close = indexOfClose(html, inside, at)
    yield {
      kind: 'text',
      text:
        inside === 'title' || inside === 'textarea'
          ? decodeEntities(html.slice(at, close))
          : html.slice(at, close),
      of: inside,
    }
    at = close
    inside = ''
  }
}

function indexOfClose(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  pattern.lastIndex = from
  return pattern.exec(html)?.index ?? html.length
}

function tagAt(
  html: string,
  open: number,
):
  | { readonly token: Exclude<Token, { kind: 'text' }> | undefined; readonly end: number }
  | undefined {
  // first of all: of a page full of mere < each would look for its end through all the rest
  if (!/^<(?:\/?[a-z]|[!?])/i.test(html.slice(open, open + 3))) return undefined
  const end = endOfTag(html, open + 1)
  const body = html.slice(open + 1, end)
  const name = /^\/?([a-z][\w:-]*)/i.exec(body)?.[1]?.toLowerCase()
  if (name === undefined) return { token: undefined, end: end + 1 }
  if (body.startsWith('/')) return { token: { kind: 'close', name }, end: end + 1 }
  const isClosed = body.endsWith('/') || VOID.test(name)
  return {
    token: { kind: 'open', name, attributes: attributesOf(body.slice(name.length)), isClosed },
    end: end + 1,
  }
}

// a > within quotes ends no tag
function endOfTag(html: string, from: number): number {
  let quote = ''
  for (let index = from; index < html.length; index++) {
    const character = html.charAt(index)
    if (quote !== '') quote = character === quote ? '' : quote
    else if ((character === '"' || character === "'") && html.charAt(index - 1) === '=')
      quote = character
    else if (character === '>') return index
  }
  return html.length
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const match of text.matchAll(
    /([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  )) {
    if (attributes.size >= MOST_ATTRIBUTES) break
    const name = (match[1] ?? '').toLowerCase()
    if (!attributes.has(name))
      attributes.set(name, decodeEntities(match[2] ?? match[3] ?? match[4] ?? ''))
  }
  return attributes
}
