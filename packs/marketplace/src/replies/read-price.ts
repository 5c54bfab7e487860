import { findAbout, namesForeignSize, namesOtherKind } from './about-request.ts'
import { type Choice, choosePrice, type Judged } from './choose-price.ts'
import { type Amount, findAmounts, hasNumberLeft } from './find-amounts.ts'
import { maskMatches } from './fold-reply.ts'
import {
  BULK_AFTER,
  BULK_BEFORE,
  CORRECTED,
  CORRECTION,
  DELIVERY_AFTER,
  DELIVERY_BEFORE,
  EXTRA_AFTER,
  EXTRA_BEFORE,
  FINAL_AFTER,
  FINAL_BEFORE,
  FORM_AFTER,
  OTHER_AFTER,
  OTHER_BEFORE,
  PRICE_BEFORE,
  RENT,
  STRENGTHS,
  TOTAL_AFTER,
  TOTAL_BEFORE,
  UNIT_AFTER,
  UNIT_BEFORE,
  UNIT_NOUNS,
  USUAL,
  USUAL_AFTER,
} from './price-words.ts'
import { rememberLast } from './remember-last.ts'
import type { RequestTerms } from './request-terms.ts'

/** What a reply asks for, in money. */
export type PriceReading = {
  readonly price?: number
  readonly unit?: string
  readonly total?: number
  readonly delivery?: number
  readonly currency: string
  /** From 0 to 1: how surely this amount is the price. 1 where the reply has no number that may be one. */
  readonly confidence: number
  readonly marked: boolean
  /** Where the first price stands in the reply. */
  readonly at?: number
  /** Where every amount stands that asks for money. */
  readonly amounts: readonly number[]
}

// "Entre 30 et 40 mille": one word for the thousands of both.
export const SHARED_RANGE =
  /\b\d{1,3} ?(?:-|to|or|ou|cyangwa|mpaka|kugeza) ?\d{1,3} ?(?:k|mille|thousand)\b|\b(?:entre|between|hagati ya|kati ya|de|from) \d{1,3} (?:et|and|na|a|to) \d{1,3} ?(?:k|mille|thousand)\b/
/** What is paid for a rent is its price where a rent was asked for. */
const RENT_WORDS = /\b(?:rent(?:al|ing)?|hire|location|kodi|kukodi\w*|gukodesh\w*)\b/g
const LABEL_BEHIND = /^ ?(?:for|pour|kwa|la|le|l'|the) ?(?:\d|[a-z])/

/** The amounts of a folded reply, and those that may be the price of what was asked for. */
export type OwnPrices = {
  readonly judged: readonly Judged[]
  readonly delivery: Judged | undefined
  readonly asked: readonly Judged[]
  readonly prices: readonly Judged[]
  readonly isLent: boolean
}

export const findOwnPrices = rememberLast(collectOwnPrices)

function collectOwnPrices(text: string, terms: RequestTerms | undefined): OwnPrices {
  const judged = judgeAmounts(text, terms)
  const delivery = judged.find(({ role }) => role === 'delivery')
  const isLent = RENT.test(text) && terms?.isRent !== true
  const asked = judged.filter(({ role }) => role !== 'delivery' && role !== 'other' && !isLent)
  // "8000, delivery 1000, total 9000": the sum is worked out below.
  const sums = new Set(asked.map(({ value }) => value + (delivery?.value ?? 0)))
  const parts = asked.filter(({ value }) => delivery === undefined || !sums.has(value))
  const own = keepOwn(text, dropTiny(parts.length > 0 ? parts : asked), terms)
  return { judged, delivery, asked, prices: dropReplaced(text, own), isLent }
}

/** The amounts of a folded reply that are a fee, a deposit, a rent or the cost of delivery. */
export function findFees(text: string, terms: RequestTerms | undefined): ReadonlySet<number> {
  const { judged, asked, isLent } = findOwnPrices(text, terms)
  const prices = new Set(asked.map(({ value }) => value))
  // "90,000 delivered": where every amount is one of delivery, one of them is the price.
  const fees = judged.filter(
    ({ role, value }) =>
      !prices.has(value) &&
      (isLent || role === 'other' || (role === 'delivery' && prices.size > 0)),
  )
  return new Set(fees.map(({ value }) => value))
}

/** The price, the sum and the cost of delivery that a folded reply names. */
export function readPrice(text: string, terms?: RequestTerms): PriceReading {
  const { delivery, asked, prices, isLent } = findOwnPrices(text, terms)
  const first = prices[0]
  const amounts = asked.map(({ index }) => index)
  if (first === undefined) {
    const isLeft = asked.length === 0 && !isLent && hasNumberLeft(text, terms)
    return { currency: 'RWF', confidence: isLeft ? 0.55 : 1, marked: false, amounts }
  }
  const choice: Choice = SHARED_RANGE.test(text)
    ? { confidence: 0.7 }
    : choosePrice(text, prices, terms)
  const { chosen, total, confidence } = choice
  const price = chosen?.value
  const times = chosen?.times === undefined ? undefined : chosen.times * chosen.value
  const added = total ?? times
  const sum = delivery === undefined ? added : (added ?? price ?? 0) + delivery.value
  return {
    ...(price !== undefined && { price }),
    ...(chosen?.unit !== undefined && { unit: chosen.unit }),
    ...(price !== undefined && sum !== undefined && { total: sum }),
    ...(delivery !== undefined && { delivery: delivery.value }),
    currency: (chosen ?? first).currency,
    at: first.index,
    confidence,
    marked: prices.some(({ marked, bare }) => marked || bare === undefined),
    amounts,
  }
}

/** The amounts of a folded reply with what the words around them say they are. */
function judgeAmounts(text: string, terms: RequestTerms | undefined): readonly Judged[] {
  const named = findAmounts(text, terms)
  return named
    .filter((amount) => named.length === 1 || !isNoPrice(text, amount))
    .map((amount, at, all) =>
      judgeAmount(text, amount, {
        previous: all[at - 1],
        isAlone: all.length === 1,
        isRent: terms?.isRent === true,
      }),
    )
}

// Beside another number, the year of a date, the strength of a medicine and the cost of an extra are
// no prices: "2700, good until 2028", "amoxi 500 capsules 3500", "tyre 45k + 2k fitting".
function isNoPrice(text: string, { value, marked, index, end, times }: Amount): boolean {
  if (EXTRA_AFTER.test(text.slice(end)) || EXTRA_BEFORE.test(text.slice(0, index))) return true
  if (marked || times !== undefined) return false
  if (value >= 2020 && value <= 2035 && value % 50 !== 0) return true
  return STRENGTHS.has(value) && FORM_AFTER.test(text.slice(end))
}

// "160 mille, si vous prenez 2 je fais 155": what is short for thousands is left to a person.
function dropTiny(prices: readonly Judged[]): readonly Judged[] {
  const most = Math.max(...prices.map(({ value }) => value))
  return prices.filter(({ value, marked, role }) => marked || role === 'unit' || value * 100 > most)
}

// "12 mm at 9500, 10 mm at 6800", "original 85,000, the copy 35,000": the amount beside what was asked
// for counts.
function keepOwn(
  text: string,
  prices: readonly Judged[],
  terms: RequestTerms | undefined,
): readonly Judged[] {
  if (terms === undefined || terms.isList) return prices
  const all = { ...terms, measures: new Map([...terms.measures, ...terms.sizes]) }
  const labels = prices.map(({ index, end }, at) => {
    const between = text.slice(prices[at - 1]?.end ?? 0, index)
    const before = between.split(/[;!?\n]|[.](?= )/).at(-1) ?? ''
    const behind = /^[^.,;!?\n]*/.exec(text.slice(end, prices[at + 1]?.index))?.[0] ?? ''
    const [own = ''] = behind.split(/ (?:et|and|na) /)
    // "28k for 2 kg, 15k for 1 kg": the size stands behind its amount.
    if (LABEL_BEHIND.test(own)) return own
    return at === prices.length - 1 ? before + own : before
  })
  const about = labels.map((label) => findAbout(label, all))
  // "Generic 2500, Mopral 14000": neither is called what was asked for.
  const isForeign =
    !about.includes('asked') && !about.includes('named') && labels.some(namesOtherKind)
  if (isForeign) return []
  // "500 g packs at 4,500 so 1 kg is 9,000"
  const isAsked = about.includes('asked')
  return prices.filter(
    (_price, at) =>
      about[at] !== 'other' &&
      !(isAsked && about[at] !== 'asked' && namesForeignSize(labels[at] ?? '', all)),
  )
}

// "5300, sorry 3500", "was 15000 but now 12000", "usually 30k, for you 25k": the later amount counts.
function dropReplaced(text: string, prices: readonly Judged[]): readonly Judged[] {
  // "Sorry typo 4300? no no, 3400 is right": the amount that is named again counts.
  const again = prices.filter(
    ({ value }, at) => prices.findIndex((one) => one.value === value) < at,
  )
  if (again.length > 0 && CORRECTION.test(text)) return again
  return prices.filter(({ index, end, value }, at) => {
    const next = prices[at + 1]
    if (next === undefined || next.value === value) return true
    const before = text.slice(Math.max(prices[at - 1]?.end ?? 0, index - 30), index)
    const between = text.slice(end, next.index)
    return !(USUAL.test(before) || USUAL_AFTER.test(between) || CORRECTED.test(between))
  })
}

type Around = {
  readonly previous: Amount | undefined
  readonly isAlone: boolean
  readonly isRent: boolean
}

function judgeAmount(text: string, amount: Amount, { previous, isAlone, isRent }: Around): Judged {
  const start = text.slice(Math.max(previous?.end ?? 0, amount.index - 40), amount.index)
  const before = isRent ? maskMatches(start, RENT_WORDS) : start
  const after = text.slice(amount.end, amount.end + 40)
  if (DELIVERY_AFTER.test(after) || DELIVERY_BEFORE.test(before))
    return { ...amount, role: 'delivery' }
  if (OTHER_BEFORE.test(before) || OTHER_AFTER.test(after)) return { ...amount, role: 'other' }
  if (!isAlone && (BULK_BEFORE.test(before) || BULK_AFTER.test(after)))
    return { ...amount, role: 'other' }
  if (TOTAL_AFTER.test(after)) return { ...amount, role: 'total' }
  const unit = UNIT_AFTER.exec(after) ?? UNIT_BEFORE.exec(before)
  if (unit !== null)
    return {
      ...amount,
      role: 'unit',
      unit: nameUnit(unit.slice(1).find((noun) => noun !== undefined)),
    }
  if (TOTAL_BEFORE.test(before)) return { ...amount, role: 'total' }
  if (FINAL_BEFORE.test(before) || FINAL_AFTER.test(after)) return { ...amount, role: 'final' }
  if (PRICE_BEFORE.test(before)) return { ...amount, role: 'price' }
  return { ...amount, role: 'price', bare: true }
}

function nameUnit(noun = ''): string {
  return UNIT_NOUNS.find(([form]) => form.test(noun))?.[1] ?? 'each'
}
