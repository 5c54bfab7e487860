import type { Price } from './draft.ts'
import type { SourceText, Span } from './source-text.ts'

export type FoundPrice = Span & { readonly price: Price; readonly confidence: number }

const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['eur', 'EUR'],
  ['euro', 'EUR'],
  ['euros', 'EUR'],
  ['$', 'USD'],
  ['usd', 'USD'],
  ['dollars', 'USD'],
  ['£', 'GBP'],
  ['gbp', 'GBP'],
  ['pounds', 'GBP'],
  ['chf', 'CHF'],
  ['fr.', 'CHF'],
  ['mxn', 'MXN'],
])
const SIGN = String.raw`€|\$|£|euros?|eur|usd|gbp|chf|dollars|pounds|mxn`
const NUMBER = String.raw`\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d{2})?|\d{1,4}(?:[.,]\d{2})?`
const PRICE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?<before>€|\$|£|eur|usd|gbp|chf|fr\.)\s?(?<first>${NUMBER})|(?<second>${NUMBER})(?:,-)?\s?(?<after>${SIGN}))(?![\p{L}\p{N}])`,
  'gu',
)
const FREE =
  /(?<!\p{L})(?:free\s+(?:entry|admission|entrance|event)|(?:entry|admission|entrance)\s*(?::|is)?\s*free|eintritt\s*(?::|ist)?\s*frei|freier\s+eintritt|kostenlos|entree\s*(?::|est)?\s*(?:libre|gratuite)|gratuit|entrada\s*(?::|es)?\s*(?:libre|gratuita|gratis)|gratis)(?!\p{L})/gu
const LABEL =
  /(?:tickets?|entry|admission|price|eintritt|karten|preis|abendkasse|vvk|tarif|entree|prix|billets?|entradas?|precio|cost|kostet?|cuesta)\W{0,12}(?:\p{L}+\W{1,3})?$/u

// No text about an event has more prices, and every match is compared with each of them.
const MAX_PRICES = 100

/** The prices in a text, the likeliest first. */
export function findPrices({ folded, text }: SourceText): readonly FoundPrice[] {
  const named = [...folded.matchAll(PRICE).take(MAX_PRICES)].flatMap((match): FoundPrice[] => {
    const { before, first, second, after } = match.groups ?? {}
    const amount = readAmount(first ?? second ?? '') ?? 0
    const currency = CURRENCIES.get(before ?? after ?? '')
    const isLabelled = LABEL.test(folded.slice(Math.max(0, match.index - 40), match.index))
    const span = { start: match.index, end: match.index + match[0].length }
    const price = {
      amount,
      ...(currency === undefined ? {} : { currency }),
      text: text.slice(span.start, span.end),
    }
    return [{ ...span, price, confidence: isLabelled ? 0.92 : 0.8 }]
  })
  const free = [...folded.matchAll(FREE).take(MAX_PRICES)].map((match): FoundPrice => {
    const span = { start: match.index, end: match.index + match[0].length }
    return {
      ...span,
      price: { amount: 0, text: text.slice(span.start, span.end) },
      confidence: named.length === 0 ? 0.9 : 0.5,
    }
  })
  const all = [...named, ...free].toSorted(
    (one, other) => other.confidence - one.confidence || one.start - other.start,
  )
  // With several prices, the right one is a guess.
  return new Set(all.map(({ price }) => price.amount)).size > 1
    ? all.map((one) => ({ ...one, confidence: one.confidence * 0.75 }))
    : all
}

const THOUSANDS = /[.,'’\s](?=\d{3}(?!\d))/g
const AMOUNT = /\d+(?:[.,'’\s]\d{3})*(?:[.,]\d{1,2})?(?!\d)/

/** Parses an amount such as "1,250.00", "1.250,00", "$25" or "12,50". */
export function readAmount(text: string): number | undefined {
  const number = AMOUNT.exec(text)?.[0]
  if (number === undefined || /-\s*\d/.test(text)) return undefined
  return Number(number.replace(THOUSANDS, '').replace(',', '.'))
}
