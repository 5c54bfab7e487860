import { areVariants, type Judged } from './choose-price.ts'
import { findAmounts } from './find-amounts.ts'
import { findNumberWords } from './number-words.ts'
import { judgeAmounts } from './read-price.ts'
import { isLaterOnly } from './read-stock.ts'
import { splitClauses } from './relate-reply.ts'
import { isRequestWord, type RequestTerms } from './request-terms.ts'
import { collectEvidence, type Evidence, has, PATTERNS } from './stock-evidence.ts'
import { NAMES_DAY } from './stock-words.ts'

// What the second reader sees of a reply: for each possible answer the words, signs and findings that
// may speak for it. Which of them do is learned (testing/fit-second-reader.ts).

/** One of several answers, with what speaks for or against it. */
export type Option<Value> = { readonly value: Value; readonly features: readonly string[] }

export type ReplyOptions = {
  /** Whether there is stock: yes, no, or not said, which needs no weights of its own. */
  readonly stock: readonly Option<boolean | null>[]
  /** Which of the numbers is the price; the last option is none of them. */
  readonly price: readonly Option<number | null>[]
}

/** A word, sign or number of a reply; a number by its class, a word of the request as `<asked>`. */
type Token = {
  readonly name: string
  readonly value?: number
  readonly start: number
  readonly end: number
}

const TOKEN = /\d+(?:[ .,']\d{3})+(?!\d)|\d+(?:[.,]\d+)?|[a-z]+(?:'[a-z]+)?|[?!.,;:\n+=@/-]/g
const SIZE =
  /^ ?(?:mg|mcg|gr?|mls?|cl|l|kgs?|mm|cm|m|gb|go|tb|w|v|mah|inch|pouces|litres?|kilos?|litiro|ibiro)(?![a-z0-9'])/
const THOUSAND = /^ ?(?:k|mille|mil|thousand)(?![a-z0-9])/
const HUNDREDS = /^k(\d{1,3})(?!\d)/
const LEAST_PRICE = 20
const LEAST_SHORT = 3
const STOP = /^[.,;\n]$/

/** The answers that a folded reply may give. */
export function listOptions(text: string, terms: RequestTerms | undefined): ReplyOptions {
  const tokens = splitTokens(text, terms)
  return {
    stock: listStockOptions(text, tokens, terms),
    price: listPriceOptions(text, tokens, terms),
  }
}

/** The words, signs and numbers of a folded reply. */
function splitTokens(text: string, terms: RequestTerms | undefined): readonly Token[] {
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
      value: plain * 1000 + Number((hundreds ?? '').padEnd(3, '0')),
      end: end + scale.length,
    }
  const isAsked = terms?.figures.has(plain) === true
  if (SIZE.test(rest))
    return { name: isAsked ? '<size asked>' : terms ? '<size other>' : '<size>', end }
  return { name: isAsked ? '<asked number>' : `<${String(plain | 0).length}>`, value: plain, end }
}

function listStockOptions(
  text: string,
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
  for (const one of describeEvidence(text, terms)) found.add(one)
  const features = [...found]
  return [
    { value: true, features: features.map((feature) => `+${feature}`) },
    { value: false, features: features.map((feature) => `-${feature}`) },
    { value: null, features: [] },
  ]
}

/** What the lists of words find. */
function describeEvidence(text: string, terms: RequestTerms | undefined): readonly string[] {
  const evidence = collectEvidence(text, { priced: 'no', pricedAt: 0 })
  const { refusals, offers, isOpen, asks, later, isYes, isWeak } = evidence
  const offer = offers.length === 0 ? 'none' : isYes ? 'yes' : isWeak ? 'weak' : 'some'
  const refusal = refusals.length === 0 ? 'none' : isOpen ? 'open' : 'some'
  const order =
    offers.length * refusals.length === 0
      ? ''
      : Math.min(...offers) < Math.min(...refusals)
        ? ' first'
        : ' last'
  const patterns = (
    [
      'arrival',
      'restricted',
      'alternative',
      'hedge',
      'away',
      'talk',
      'wants',
      'apology',
      'past',
    ] as const
  ).filter((name) => has(text, PATTERNS[name]))
  return [
    `%offer ${offer}`,
    `%refusal ${refusal}`,
    `%${offer} ${refusal}${order}`,
    ...(asks ? ['%asks'] : []),
    ...(later ? ['%later'] : []),
    ...patterns.map((name) => `%${name}`),
    ...(isLaterOnly(text, evidence) ? [`%only later ${terms?.isDated === true}`] : []),
    ...(NAMES_DAY.test(text)
      ? [`%day ${terms?.isDated === true}`, `%day ${terms?.isDated === true} ${offer}`]
      : []),
    ...(has(text, PATTERNS.arrival) ? [`%arrival ${offer}`] : []),
    ...(terms === undefined ? [] : describeClauses(text, { refusals, offers }, terms)),
  ]
}

function describeClauses(
  text: string,
  evidence: Pick<Evidence, 'refusals' | 'offers'>,
  terms: RequestTerms,
): readonly string[] {
  const amounts = findAmounts(text, terms).map(({ index }) => index)
  return splitClauses(text, evidence, amounts, terms).map(({ about, says }) => `%${about} ${says}`)
}

function listPriceOptions(
  text: string,
  tokens: readonly Token[],
  terms: RequestTerms | undefined,
): readonly Option<number | null>[] {
  const numbers = listNumbers(tokens)
  const judged = judgeAmounts(text, terms)
  const values = numbers.map(({ value }) => value)
  const labels = numbers.map(({ at }) => describeLabel(tokens, at, terms))
  const isAnyAsked = labels.some(({ isAsked }) => isAsked)
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
      ...describeRole(judged, tokens[at]?.start ?? 0),
      ...(isAnyAsked && !isAsked ? ['#other asked', `#other asked ${place}`] : []),
    ]
    return { value, features: [...new Set(features)] }
  })
  const asked = labels.filter(({ isAsked }) => isAsked).length
  const words = new Set(tokens.map(({ name }) => name).filter((name) => /[a-z]/.test(name)))
  const none = [
    ...describeNone(text, judged, terms),
    ...(numbers.length > 1 ? [`none asked ${Math.min(asked, 2)} ${asked === numbers.length}`] : []),
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
  judged: readonly Judged[],
  terms: RequestTerms | undefined,
): readonly string[] {
  const prices = judged.filter(({ role }) => role !== 'delivery' && role !== 'other')
  const values = [...new Set(prices.map(({ value }) => value))]
  const count = Math.min(values.length, 3)
  const roles = [...new Set(prices.map(({ role }) => role))].sort()
  const found = ['none', `none of ${count}`, `none roles ${roles.join(' ')}`]
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
function describeRole(judged: readonly Judged[], start: number): readonly string[] {
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
function describeLabel(tokens: readonly Token[], at: number, terms: RequestTerms | undefined) {
  const words: string[] = []
  for (const { name, value = 0 } of tokens.slice(0, at).reverse()) {
    if (value >= 100 || /^[.;\n]$/.test(name)) break
    words.push(name)
  }
  for (const { name, value } of tokens.slice(at + 1)) {
    if (value !== undefined || STOP.test(name)) break
    words.push(name)
  }
  const isAsked = words.some((word) => /^<(?:asked|size asked|asked number)>$/.test(word))
  const isPack = words.some((word) => terms?.packs.has(word.replace(/s$/, '')) === true)
  return {
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
