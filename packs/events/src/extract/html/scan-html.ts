import { Parser } from 'htmlparser2'

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

// Markup inside these elements is not part of what a reader sees.
const RAW = /^(?:script|style|textarea|title|noscript|template|svg|iframe)$/
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
// A longer page is not about one event.
const MAX_CHARACTERS = 500_000
const MAX_ATTRIBUTES = 50

/**
 * The tags and texts of a page, in order. Text inside a raw element carries that element's name.
 */
export function scanHtml(page: string): readonly Token[] {
  const tokens: Token[] = []
  let raw = ''
  let rawDepth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === raw) rawDepth++
      if (raw !== '') return
      tokens.push({
        kind: 'open',
        name,
        attributes: new Map(Object.entries(attributes).slice(0, MAX_ATTRIBUTES)),
        isClosed: VOID.test(name),
      })
      if (!RAW.test(name)) return
      raw = name
      rawDepth = 1
    },
    ontext(text) {
      tokens.push({ kind: 'text', text, of: raw })
    },
    onclosetag(name) {
      if (name === raw) rawDepth--
      if (raw !== '' && rawDepth > 0) return
      if (name === raw) raw = ''
      if (!VOID.test(name)) tokens.push({ kind: 'close', name })
    },
  })
  parser.end(page.slice(0, MAX_CHARACTERS))
  return joinTexts(tokens)
}

// The parser reports a text in pieces, one for each character reference in it.
function joinTexts(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = []
  let pieces: string[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'text') {
      joined.push(token)
      continue
    }
    pieces.push(token.text)
    const next = tokens[index + 1]
    if (next?.kind === 'text' && next.of === token.of) continue
    joined.push({ ...token, text: pieces.join('') })
    pieces = []
  }
  return joined
}
