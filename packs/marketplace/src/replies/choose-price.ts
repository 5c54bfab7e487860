import type { Amount } from './find-amounts.ts'
import {
  COUNT_WORDS,
  COUNTED_AFTER,
  FOLLOWS,
  SUMMED,
  TOGETHER,
  VARIANT,
  VARIANT_ONCE,
} from './price-words.ts'
import type { RequestTerms } from './request-terms.ts'

export type Role = 'price' | 'unit' | 'total' | 'final' | 'delivery' | 'other'
/** An amount and what the words around it say it is. */
export type Judged = Amount & {
  readonly role: Role
  readonly unit?: string
  readonly bare?: true
}

/** Without `chosen`, several things or kinds have prices of their own, and none is that of the whole. */
export type Choice = {
  readonly chosen?: Judged
  readonly total?: number
  readonly confidence: number
}

/** Which of the amounts is the price of what was asked for. */
export function choosePrice(
  text: string,
  prices: readonly Judged[],
  terms: RequestTerms | undefined,
): Choice {
  const byRole = (role: Role) => prices.filter((price) => price.role === role)
  const lowest = prices.reduce((one, other) => (other.value < one.value ? other : one))
  const [final] = byRole('final').slice(-1)
  const units = byRole('unit')
  const [unit] = units
  const [total] = byRole('total').slice(-1)
  const values = new Set(prices.map(({ value }) => value))
  if (values.size === 1) {
    const sole = unit ?? total ?? lowest
    return {
      chosen: sole,
      ...(sole.role === 'total' && { total: sole.value }),
      confidence: soleConfidence(text, sole),
    }
  }
  const currencies = new Set(prices.map(({ currency }) => currency))
  const local = prices.filter(({ currency }) => currency === 'RWF')
  const [priced] = local
  if (currencies.size > 1 && local.length === 1 && priced !== undefined)
    return { chosen: priced, confidence: 0.8 }
  const counted = prices.find(({ times, value }) => values.has((times ?? 0) * value))
  if (counted !== undefined && values.size === 2 && !terms?.isList)
    return { chosen: counted, confidence: 0.9 }
  const fitting = findFittingSum(text, prices, terms)
  if (fitting !== undefined) return fitting
  if (final !== undefined)
    return { chosen: final, confidence: final.value === lowest.value ? 0.8 : 0.55 }
  // In a list "20 tabs 1000" is the price of one of its things.
  const isTotalMost =
    total !== undefined &&
    total.value >= Math.max(...values) &&
    (!terms?.isList || SUMMED.test(text))
  // "Nails 1,600 a kilo, hinges 1,200 a pair, glue 4,500, total 19,700"
  if (isTotalMost && values.size > 2) return { chosen: total, total: total.value, confidence: 0.8 }
  if (unit !== undefined && total !== undefined && total.value > unit.value && !terms?.isList)
    return { chosen: unit, total: total.value, confidence: 0.9 }
  if (units.length === prices.length && areUnitsDifferent(prices) && terms?.isList !== true)
    return { chosen: lowest, confidence: 0.65 }
  if (
    unit !== undefined &&
    units.length === 1 &&
    prices.length === 2 &&
    unit === lowest &&
    terms?.isList !== true &&
    !TOGETHER.test(text)
  )
    return { chosen: unit, confidence: areVariants(text, prices) ? 0.65 : 0.55 }
  // "3500, or 2 for 6000": what several cost is not what was asked for.
  const [single, ...others] = prices.filter(({ role }) => role === 'price')
  const isOffered = single !== undefined && others.length === 0 && prices.length === 2
  if (isOffered && total !== undefined && total.value > single.value && terms?.isList !== true)
    if (total.value < 12 * single.value && terms?.quantity === undefined && !SUMMED.test(text))
      return { chosen: single, confidence: 0.7 }
  if (isTotalMost) return { chosen: total, total: total.value, confidence: 0.8 }
  return chooseAmongKinds(text, prices, lowest, terms)
}

// "12k here, 14k delivered" has one price and its extra; "small 5000, big 8000" and "amoxicillin 3000
// and brufen 2000" have two.
function chooseAmongKinds(
  text: string,
  prices: readonly Judged[],
  lowest: Judged,
  terms: RequestTerms | undefined,
): Choice {
  if (terms?.isList === true) return { confidence: 0.75 }
  if (isConditional(text, prices)) return { chosen: lowest, confidence: 0.65 }
  if (isRange(text, prices) || areVariants(text, prices)) return { confidence: 0.75 }
  const joint = findJoint(text, prices)
  if (joint === 'extra') {
    const chosen = prices.reduce((one, other) => (other.value > one.value ? other : one))
    return { chosen, confidence: 0.55 }
  }
  if (joint === 'things') return { confidence: 0.65 }
  return { confidence: 0.5 }
}

function soleConfidence(text: string, sole: Judged): number {
  if (COUNTED_AFTER.test(text.slice(sole.end))) return 0.55
  if (sole.marked || sole.bare === undefined) return 0.95
  return isAlone(text) ? 0.85 : bareConfidence(sole.value)
}

/**
 * Amounts that account for each other: one is a whole number of times another ("250 each so 20 tabs
 * is 5000"), or the sum of the others ("4000, 2000 and 3000, everything 9000"). For the number that
 * was asked for, a little less than so many times also does: three at 3500 are 10,000.
 */
function findFittingSum(
  text: string,
  prices: readonly Judged[],
  terms: RequestTerms | undefined,
): Choice | undefined {
  const values = [...new Set(prices.map(({ value }) => value))]
  const most = Math.max(...values)
  const rest = prices.filter(({ value }) => value !== most)
  const highest = prices.find(({ value }) => value === most)
  const [single] = rest
  const wanted = terms?.isList === true ? undefined : terms?.quantity
  if (highest === undefined || single === undefined) return undefined
  const each = prices.find(({ value }) => value * (wanted ?? 0) === most)
  if (each !== undefined && each.value !== most)
    return { chosen: each, total: most, confidence: 0.85 }
  const count = most / single.value
  if (values.length === 2 && wanted !== undefined && wanted > 1)
    if (count <= wanted && count >= wanted * 0.8)
      return { chosen: single, total: most, confidence: 0.85 }
  if (highest.role === 'unit') return undefined
  if (rest.length > 1 && rest.reduce((sum, { value }) => sum + value, 0) === most)
    return { chosen: highest, total: most, confidence: 0.9 }
  if (values.length !== 2) return undefined
  const isNamed = single.role === 'unit' || highest.role === 'total'
  if (!Number.isInteger(count) || count > 500) return undefined
  const joint = text.slice(Math.min(single.end, highest.end), Math.max(single.index, highest.index))
  if (!namesCount(text, count) && !(isNamed && FOLLOWS.test(joint))) return undefined
  return { chosen: single, total: most, confidence: isNamed ? 0.9 : 0.7 }
}

function namesCount(text: string, count: number): boolean {
  const words = COUNT_WORDS[count]
  return (
    new RegExp(String.raw`(?<![\d.,])${count}(?![\d.,]*\d)`).test(text) ||
    (words?.test(text) ?? false)
  )
}

function areUnitsDifferent(prices: readonly Judged[]): boolean {
  return new Set(prices.map(({ unit }) => unit)).size === prices.length
}

// "Both are there: amoxicillin 3000 and brufen 2000": two things. "6000 + 500 for the bag": the small
// amount may be that of an extra.
function findJoint(text: string, prices: readonly Judged[]): 'things' | 'extra' | 'none' {
  const joints = prices.slice(1).map(({ index }, at) => text.slice(prices[at]?.end, index))
  const values = prices.map(({ value }) => value)
  const isExtra = Math.max(...values) >= 5 * Math.min(...values)
  if (TOGETHER.test(text)) return 'things'
  if (joints.every((joint) => joint.includes('+'))) return isExtra ? 'extra' : 'things'
  return !isExtra && joints.every((joint) => /\b(?:and|et|na)\b|&|^, [a-z]/.test(joint))
    ? 'things'
    : 'none'
}

// "5k to 7k", "entre 5000 et 7000": the price is one of them, and not said yet.
export function isRange(text: string, [one, other, ...more]: readonly Judged[]): boolean {
  if (one === undefined || other === undefined || more.length > 0) return false
  const joint = text.slice(one.end, other.index).trim()
  const start = text.slice(0, one.index)
  return (
    /^(?:-|to|a|et|or|ou|cyangwa|au|mpaka|kugeza|kugeza kuri?|jusqu'a|up to)$/.test(joint) ||
    /^,? ?(?:or|ou|cyangwa|au) /.test(joint) ||
    (joint === 'and' && /\bbetween $/.test(start))
  )
}

// "12k here, 14k delivered", "7,000 if you take five, otherwise 8,000": the lower one counts.
function isConditional(text: string, [one, other, ...more]: readonly Judged[]): boolean {
  if (one === undefined || other === undefined || more.length > 0) return false
  const joint = text.slice(one.end, other.index).trim()
  const behind = text.slice(other.end)
  return (
    /\b(?:if|si|iyo|with|avec|without|sans|here|ici|hano|depart|but|mais|ariko|lakini|otherwise|sinon|ukileta|ukichukua|ukitaka|niba|reduced from)\b/.test(
      joint,
    ) || /^[^.;]{0,12}\b(?:if|when|with|avec|si|delivered|livre|rendu|extra|more)\b/.test(behind)
  )
}

/** Whether every amount has the name of a size or a kind: "small 5000, big 8000". */
export function areVariants(text: string, prices: readonly Judged[]): boolean {
  const parts = [...prices.map(({ index }, at) => text.slice(prices[at - 1]?.end ?? 0, index))]
  const last = text.slice(prices.at(-1)?.end)
  const named = [...parts, last].flatMap((part) => [...part.matchAll(VARIANT)])
  return named.length >= prices.length && parts.slice(1).every((part) => VARIANT_ONCE.test(part))
}

const isAlone = (text: string) => /^[\d.,' ]+$/.test(text)

// A bare figure of few digits may be a strength, a model or a house number, and prices are round.
function bareConfidence(value: number): number {
  if (value % 50 !== 0) return 0.5
  return value >= 1000 ? 0.85 : value >= 300 ? 0.7 : 0.5
}
