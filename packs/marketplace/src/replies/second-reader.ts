import { findNumberWords } from './number-words.ts'
import type { ReplyReading } from './reply-reading.ts'
import { isRequestWord, type RequestTerms } from './request-terms.ts'
import WEIGHTS from './second-reader.json' with { type: 'json' }

// A second reader of replies that knows nothing of the rules: it adds up weights of words, neighbouring
// words and the ends of words, which were learned from replies with known answers. It reads worse than
// the rules, but its errors are others, so a reading that it does not share is doubted (doubts.ts).
// `node packs/marketplace/testing/fit-second-reader.ts` learns the weights and writes the .json file.

/** One of several answers, with what speaks for or against it. */
export type Option<Value> = { readonly value: Value; readonly features: readonly string[] }

export type ReaderWeights = {
  readonly stock: Readonly<Record<string, number>>
  readonly price: Readonly<Record<string, number>>
}

/** The second reader's probabilities of what the rules read. */
export type Agreement = {
  readonly stock: number
  /** That the price is the one that the rules chose, or that there is none where they chose none. */
  readonly price: number
  /** The rules' price is not among the numbers that the second reader sees. */
  readonly isUnseen: boolean
}

/** A word, sign or number of a reply; a number by its class, a word of the request as `<asked>`. */
type Token = { readonly name: string; readonly value?: number; readonly end: number }

const TOKEN = /\d+(?:[ .,']\d{3})+(?!\d)|\d+(?:[.,]\d+)?|[a-z]+(?:'[a-z]+)?|[?!.,;:\n+=@/-]/g
const SIZE =
  /^ ?(?:mg|mcg|gr?|mls?|cl|l|kgs?|mm|cm|m|gb|go|tb|w|v|mah|inch|pouces|litres?|kilos?|litiro|ibiro)(?![a-z0-9])/
const THOUSAND = /^ ?(?:k|mille|mil|thousand)(?![a-z0-9])/
const HUNDREDS = /^k(\d{1,3})(?!\d)/
const LEAST_PRICE = 20
const STOP = /^[.,;\n]$/

/** How probable the second reader takes what the rules read in a folded reply. */
export function compareReadings(
  text: string,
  reading: Pick<ReplyReading, 'has_stock' | 'price'>,
  terms: RequestTerms | undefined,
): Agreement {
  const tokens = splitTokens(text, terms)
  return agree(listStockOptions(tokens, terms), listPriceOptions(tokens, terms), reading, WEIGHTS)
}

export function agree(
  stocks: readonly Option<boolean | null>[],
  prices: readonly Option<number | null>[],
  reading: Pick<ReplyReading, 'has_stock' | 'price'>,
  weights: ReaderWeights,
): Agreement {
  const stock = sumWhere(stocks, weights.stock, reading.has_stock)
  if (reading.has_stock !== true || prices.length === 1) return { stock, price: 1, isUnseen: false }
  const price = reading.price ?? null
  if (!prices.some(({ value }) => value === price)) return { stock, price: 1, isUnseen: true }
  return { stock, price: sumWhere(prices, weights.price, price), isUnseen: false }
}

function sumWhere<Value>(
  options: readonly Option<Value>[],
  weights: Readonly<Record<string, number>>,
  wanted: Value,
): number {
  const shares = weighOptions(options, (feature) => weights[feature] ?? 0)
  return options.reduce((sum, { value }, at) => sum + (value === wanted ? (shares[at] ?? 0) : 0), 0)
}

/** The probability of each option. */
export function weighOptions(
  options: readonly Option<unknown>[],
  weightOf: (feature: string) => number,
): readonly number[] {
  const sums = options.map(({ features }) =>
    features.reduce((sum, feature) => sum + weightOf(feature), 0),
  )
  const most = Math.max(...sums)
  const odds = sums.map((sum) => Math.exp(sum - most))
  const total = odds.reduce((sum, one) => sum + one, 0)
  return odds.map((one) => one / total)
}

/** The words, signs and numbers of a folded reply. */
export function splitTokens(text: string, terms: RequestTerms | undefined): readonly Token[] {
  const written = findNumberWords(text)
  const tokens: Token[] = []
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (index < (tokens.at(-1)?.end ?? 0)) continue
    const words = written.find((one) => index >= one.index && index < one.index + one.length)
    const end = index + token.length
    if (words !== undefined)
      tokens.push({ name: '<written>', value: words.value, end: words.index + words.length })
    else if (/\d/.test(token)) tokens.push(readNumber(token, text.slice(end), end, terms))
    else {
      const isAsked = terms !== undefined && token.length > 2 && isRequestWord(token, terms)
      tokens.push({ name: isAsked ? '<asked>' : token, end })
    }
  }
  return tokens
}

function readNumber(
  token: string,
  rest: string,
  end: number,
  terms: RequestTerms | undefined,
): Token {
  const plain = Number(
    /[ .,']\d{3}/.test(token) ? token.replace(/[ .,']/g, '') : token.replace(',', '.'),
  )
  const [glued = '', hundreds] = HUNDREDS.exec(rest) ?? []
  const [scale = glued] = THOUSAND.exec(rest) ?? []
  if (scale !== '')
    return {
      name: '<k>',
      value: plain * 1000 + Number((hundreds ?? '').padEnd(3, '0')),
      end: end + scale.length,
    }
  const isAsked = terms?.figures.has(plain) === true
  if (SIZE.test(rest))
    return { name: isAsked ? '<size asked>' : terms ? '<size other>' : '<size>', end }
  return { name: isAsked ? '<asked number>' : `<${String(plain | 0).length}>`, value: plain, end }
}

/** Whether there is stock: yes, no, or not said, which needs no weights of its own. */
export function listStockOptions(
  tokens: readonly Token[],
  terms: RequestTerms | undefined,
): readonly Option<boolean | null>[] {
  const names = ['^', ...tokens.map(({ name }) => name), '$']
  const found = new Set(['always'])
  for (const [at, name] of names.entries()) {
    const [next, third] = names.slice(at + 1)
    if (/[a-z<?]/.test(name)) found.add(name)
    if (next !== undefined) found.add(`${name} ${next}`)
    if (third !== undefined && at > 0) found.add(`${name} ${next} ${third}`)
    // Verbs of Kinyarwanda and Swahili carry subject, denial and object in front of their stem.
    if (/^[a-z]{4}/.test(name))
      for (const part of [`${name.slice(0, 3)}*`, `${name.slice(0, 4)}*`, `*${name.slice(-3)}`])
        found.add(part)
  }
  const amounts = tokens.filter(({ name, value = 0 }) => value >= 100 && name !== '<asked number>')
  found.add(`#amounts ${Math.min(amounts.length, 3)}`)
  found.add(`#length ${[3, 6, 12, 20].filter((least) => tokens.length >= least).length}`)
  if (terms?.isList === true) found.add('#list')
  if (terms !== undefined) {
    const isSize = names.includes('<size asked>') || names.includes('<asked number>')
    found.add(`#size ${isSize}/${names.includes('<size other>')}`)
    found.add(`#named ${names.includes('<asked>')}`)
  }
  const features = [...found]
  return [
    { value: true, features: features.map((feature) => `+${feature}`) },
    { value: false, features: features.map((feature) => `-${feature}`) },
    { value: null, features: [] },
  ]
}

/** Which of the numbers is the price; the last option is none of them. */
export function listPriceOptions(
  tokens: readonly Token[],
  terms: RequestTerms | undefined,
): readonly Option<number | null>[] {
  const numbers = tokens.flatMap(({ value = 0 }, at) =>
    value >= LEAST_PRICE ? [{ value, at }] : [],
  )
  const values = numbers.map(({ value }) => value)
  const options = numbers.map(({ value, at }, nth): Option<number> => {
    const place = nth === 0 ? 'first' : nth === numbers.length - 1 ? 'last' : 'middle'
    const features = [...describeAround(tokens, at), ...describeValue(value, values, place, terms)]
    return { value, features: [...new Set(features)] }
  })
  const count = Math.min(new Set(values).size, 3)
  const none = ['none', `none of ${count}`, ...(terms?.isList === true ? [`no list ${count}`] : [])]
  const words = new Set(tokens.map(({ name }) => name).filter((name) => /[a-z]/.test(name)))
  return [
    ...options,
    { value: null, features: [...none, ...[...words].map((word) => `none of ${count} ${word}`)] },
  ]
}

/** The words around a number, up to the next number on either side. */
function describeAround(tokens: readonly Token[], at: number): readonly string[] {
  const name = (index: number) => tokens[index]?.name ?? '^'
  const found = ['amount', name(at)]
  found.push(`${name(at - 1)} _`, `${name(at - 2)} ${name(at - 1)} _`)
  found.push(`_ ${name(at + 1)}`, `_ ${name(at + 1)} ${name(at + 2)}`)
  for (const { name: word, value = 0 } of tokens.slice(Math.max(0, at - 4), at).reverse()) {
    if (value >= 100) break
    found.push(`${word} .. _`)
  }
  for (const { name: word, value } of tokens.slice(at + 1, at + 4)) {
    if (value !== undefined || STOP.test(word)) break
    found.push(`_ .. ${word}`)
  }
  return found
}

/** What a number is among the others. */
function describeValue(
  value: number,
  values: readonly number[],
  place: string,
  terms: RequestTerms | undefined,
): readonly string[] {
  const found = [value % 50 === 0 ? '#round' : '#odd', `#digits ${String(value | 0).length}`]
  if (new Set(values).size === 1) return [...found, '#only']
  const most = Math.max(...values)
  const rank = value === most ? 'highest' : value === Math.min(...values) ? 'lowest' : 'between'
  found.push(`#${place}`, `#${rank}`, `#${place} ${rank}`)
  if (value * 5 < most) found.push('#small')
  if (value * 50 < most) found.push('#tiny')
  if (values.includes(value * (terms?.quantity ?? 0))) found.push('#for the quantity')
  if (values.some((other) => other > value && other % value === 0)) found.push('#divides')
  const others = values.filter((other) => other !== value)
  if (others.length > 1 && others.reduce((sum, one) => sum + one, 0) === value) found.push('#sum')
  return found
}
