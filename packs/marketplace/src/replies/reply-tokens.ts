import { findNumberWords } from './number-words.ts'
import { isRequestWord, type RequestTerms } from './request-terms.ts'

/** One of several answers, with what speaks for or against it. */
export type Option<Value> = { readonly value: Value; readonly features: readonly string[] }

/** A word, sign or number of a reply; a number by its class, a word of the request as `<asked>`. */
export type Token = {
  readonly name: string
  readonly value?: number
  readonly start: number
  readonly end: number
}

const TOKEN = /\d+(?:[ .,']\d{3})+(?!\d)|\d+(?:[.,]\d+)?|[a-z]+(?:'[a-z]+)?|[?!.,;:\n+=@/-]/g
const SIZE =
  /^ ?(?:mg|mcg|gr?|mls?|cl|l|kgs?|mm|cm|m|gb|go|tb|w|v|mah|inch|pouces|litres?|kilos?|litiro|ibiro)(?![a-z0-9'])/
const THOUSAND = /^ ?(?:k|mille|mil|thousand|millions?)(?![a-z0-9])/
const HUNDREDS = /^k(\d{1,3})(?!\d)/

/** The words, signs and numbers of a folded reply. */
export function splitTokens(text: string, terms: RequestTerms | undefined): readonly Token[] {
  const written = findNumberWords(text)
  const tokens: Token[] = []
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (index < (tokens.at(-1)?.end ?? 0)) continue
    const words = written.find((one) => index >= one.index && index < one.index + one.length)
    const end = index + token.length
    if (words !== undefined)
      tokens.push({
        name: '<written>',
        value: words.value,
        start: index,
        end: words.index + words.length,
      })
    else if (/\d/.test(token))
      tokens.push({ ...readNumber(token, text.slice(end), end, terms), start: index })
    else {
      const isAsked = terms !== undefined && token.length > 2 && isRequestWord(token, terms)
      tokens.push({ name: isAsked ? '<asked>' : token, start: index, end })
    }
  }
  return tokens
}

function readNumber(
  token: string,
  rest: string,
  end: number,
  terms: RequestTerms | undefined,
): Omit<Token, 'start'> {
  const plain = Number(
    /[ .,']\d{3}/.test(token) ? token.replace(/[ .,']/g, '') : token.replace(',', '.'),
  )
  const [glued = '', hundreds] = HUNDREDS.exec(rest) ?? []
  const [scale = glued] = THOUSAND.exec(rest) ?? []
  if (scale !== '')
    return {
      name: '<k>',
      value:
        plain * (scale.includes('million') ? 1e6 : 1000) + Number((hundreds ?? '').padEnd(3, '0')),
      end: end + scale.length,
    }
  const isAsked = terms?.figures.has(plain) === true
  // "5000 kg" is the price of one.
  const isPerKilo = plain >= 1000 && /^ ?kg/.test(rest)
  if (SIZE.test(rest) && !isPerKilo)
    return { name: isAsked ? '<size asked>' : terms ? '<size other>' : '<size>', end }
  return { name: isAsked ? '<asked number>' : `<${String(plain | 0).length}>`, value: plain, end }
}
