import { areVariants, isRange } from './choose-price.ts'
import { findOwnPrices, type OwnPrices, SHARED_RANGE } from './read-price.ts'
import type { Option, Token } from './reply-tokens.ts'
import type { RequestTerms } from './request-terms.ts'

const LEAST_PRICE = 20
const LEAST_SHORT = 3
const STOP = /^[.,;\n]$/
const ASKED = /^<(?:asked|size asked|asked number)>$/

/** Which of the numbers of a reply is the price; the last option is none of them. */
export function listPriceOptions(
  text: string,
  tokens: readonly Token[],
  terms: RequestTerms | undefined,
): readonly Option<number | null>[] {
  const numbers = listNumbers(tokens)
  const own = findOwnPrices(text, terms)
  const values = numbers.map(({ value }) => value)
  const labels = numbers.map(({ at }) => describeLabel(text, tokens, at, terms))
  const isAnyAsked = labels.some(({ isAsked }) => isAsked)
  const matches = numbers.map(({ at }, nth) => ({ at, matched: labels[nth]?.matched ?? 0 }))
  const options = numbers.map(({ value, at, isShort }, nth): Option<number> => {
    const place = nth === 0 ? 'first' : nth === numbers.length - 1 ? 'last' : 'middle'
    const around = describeAround(tokens, at)
    const { features: label = [], isAsked = false } = labels[nth] ?? {}
    const features = [
      ...around,
      ...(isShort
        ? ['short', ...around.map((one) => `short ${one}`), ...describeShort(value, values, terms)]
        : []),
      ...describeValue(value, values, place, terms),
      ...label,
      ...(numbers.length > 1 ? [`#match ${compareMatch(matches, at)}`] : []),
      ...describeRole(own, tokens[at]?.start ?? 0),
      ...(isAnyAsked && !isAsked ? ['#other asked', `#other asked ${place}`] : []),
    ]
    return { value, features: [...new Set(features)] }
  })
  const asked = labels.filter(({ isAsked }) => isAsked).length
  const words = new Set(tokens.map(({ name }) => name).filter((name) => /[a-z]/.test(name)))
  const none = [
    ...describeNone(text, own, terms),
    ...(numbers.length > 1 ? [`none asked ${Math.min(asked, 2)} ${asked === numbers.length}`] : []),
    ...(numbers.length > 1
      ? [`none match ${numbers.some(({ at }) => compareMatch(matches, at) === 'best')}`]
      : []),
  ]
  const [, count = ''] = none
  return [
    ...options,
    { value: null, features: [...none, ...[...words].map((word) => `${count} ${word}`)] },
  ]
}

/** What speaks for several prices of which none is the price: kinds, or things of a list. */
function describeNone(
  text: string,
  { judged, prices: kept }: OwnPrices,
  terms: RequestTerms | undefined,
): readonly string[] {
  const prices = judged.filter(({ role }) => role !== 'delivery' && role !== 'other')
  const values = [...new Set(prices.map(({ value }) => value))]
  const count = Math.min(values.length, 3)
  const roles = [...new Set(prices.map(({ role }) => role))].sort()
  const found = ['none', `none of ${count}`, `none roles ${roles.join(' ')}`]
  if (SHARED_RANGE.test(text) || isRange(text, kept)) found.push('none range')
  if (terms?.isList === true) found.push(`no list ${count}`)
  if (count < 2) return found
  if (areVariants(text, prices)) found.push('none variants')
  return [...found, `none alike ${Math.max(...values) < 3 * Math.min(...values)}`]
}

type NumberToken = { readonly value: number; readonly at: number; readonly isShort: boolean }

/** The numbers that may be prices; "25" may be 25 and short for 25,000. */
function listNumbers(tokens: readonly Token[]): readonly NumberToken[] {
  return tokens.flatMap(({ name, value = 0 }, at) => {
    const plain = value >= LEAST_PRICE ? [{ value, at, isShort: false }] : []
    const isBare = /^<[123]>$/.test(name) && value >= LEAST_SHORT
    return isBare ? [...plain, { value: value * 1000, at, isShort: true }] : plain
  })
}

/** What the rules take a number for. */
function describeRole({ judged }: OwnPrices, start: number): readonly string[] {
  const own = judged.find(({ index, end }) => start >= index && start < end)
  if (own === undefined) return ['%role none']
  const { role, marked, bare } = own
  const alike = judged.filter((one) => one.role === role).length
  return [
    `%role ${role}`,
    `%role ${role} ${Math.min(alike, 2)} of ${Math.min(judged.length, 3)}`,
    `%marked ${marked}`,
    ...(bare ? ['%bare'] : []),
  ]
}

function describeShort(
  value: number,
  values: readonly number[],
  terms: RequestTerms | undefined,
): readonly string[] {
  const isLarge = values.some((other) => other >= 1000 && other !== value && other % 1000 !== 0)
  return [
    `#short ${String(value / 1000).length}`,
    `#short costly ${terms?.isCostly === true}`,
    `#short beside ${isLarge}`,
    ...(value % 5000 === 0 ? ['#short round'] : []),
  ]
}

/** Whether the words of a number's own clause name what was asked for. */
function describeLabel(
  text: string,
  tokens: readonly Token[],
  at: number,
  terms: RequestTerms | undefined,
) {
  const label: Token[] = []
  for (const token of tokens.slice(0, at).reverse()) {
    if ((token.value ?? 0) >= 100 || /^[.;\n]$/.test(token.name)) break
    label.push(token)
  }
  for (const token of tokens.slice(at + 1)) {
    if (token.value !== undefined || STOP.test(token.name)) break
    label.push(token)
  }
  const words = label.map(({ name }) => name)
  const own = label.filter(({ name }) => ASKED.test(name) || isPackWord(name, terms))
  const isAsked = words.some((word) => ASKED.test(word))
  const isPack = words.some((word) => isPackWord(word, terms))
  return {
    /** How many different words and sizes of the request it has. */
    matched: new Set(own.map(({ start, end }) => text.slice(start, end))).size,
    isAsked: isAsked || isPack,
    features: [
      `#label ${isAsked}`,
      ...(isPack ? ['#label pack'] : []),
      ...(words.includes('<size other>') ? [`#label size ${isAsked}`] : []),
      ...(words.some((word) => /[a-z]{3}/.test(word) && !word.startsWith('<'))
        ? []
        : ['#label none']),
    ],
  }
}

function isPackWord(word: string, terms: RequestTerms | undefined): boolean {
  return terms?.packs.has(word.replace(/s$/, '')) === true
}

type Match = { readonly at: number; readonly matched: number }

/** Whether a number's clause has more of the request than that of any other number. */
function compareMatch(matches: readonly Match[], at: number): 'best' | 'equal' | 'less' {
  const own = matches.find((one) => one.at === at)?.matched ?? 0
  const most = Math.max(0, ...matches.filter((one) => one.at !== at).map(({ matched }) => matched))
  return own > most ? 'best' : own < most ? 'less' : 'equal'
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
