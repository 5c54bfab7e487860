import { findSwahiliNumbers } from './swahili-numbers.ts'

const ENGLISH_FRENCH: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  un: 1,
  une: 1,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  sept: 7,
  huit: 8,
  neuf: 9,
  dix: 10,
  onze: 11,
  douze: 12,
  treize: 13,
  quatorze: 14,
  quinze: 15,
  seize: 16,
  vingt: 20,
  vingts: 20,
  trente: 30,
  quarante: 40,
  cinquante: 50,
  soixante: 60,
}
const HUNDREDS = new Set(['hundred', 'cent', 'cents'])
const THOUSANDS = new Set(['thousand', 'mille', 'grand', 'k'])
const MILLIONS = new Set(['million', 'millions'])
const JOINERS = new Set(['and', 'et', 'a'])

// The noun class changes the first letters of Kinyarwanda's numbers: bitanu, atanu, eshanu.
const KINYARWANDA_UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ri|ka|ki|i|u|cu)?mwe$/, 1],
  [/^(?:bi|a|ka|tu|ba)biri$|^ebyiri$/, 2],
  [/^(?:bi|a|e|ba|i)tatu$|^eshatu$/, 3],
  [/^(?:bi|a|ba|i)ne$|^enye$/, 4],
  [/^(?:bi|a|ba|i)tanu$|^eshanu$/, 5],
  [/^(?:bi|a|ba|i)tandatu$|^esheshatu$/, 6],
  [/^(?:bi|a|ba|i)?r?i?ndwi$/, 7],
  [/^(?:[ui]?mu|i)nani$/, 8],
  [/^i?cyenda$/, 9],
]

// "Ni bitanu": the thousands are left out, and the class of the number still agrees with them.
const IMPLIED_THOUSANDS =
  /(?:\b(?:ni|igura|zigura) |^)((?:(?:i?cumi|makumyabiri|mirongo [a-z]+) na )?(?:bibiri|bitatu|bine|bitanu|bitandatu|birindwi|umunani|icyenda)|icumi|makumyabiri)\b(?! igihumbi)/g

// "Bibiri na magana atanu", "makumyabiri igihumbi": the hundreds or the scale behind a count say that
// it is one of thousands.
const COUNT =
  '(?:(?:i?cumi|makumyabiri|mirongo [a-z]+)(?: na (?!magana)[a-z]+)?|bibiri|bitatu|bine|bitanu|bitandatu|birindwi|umunani|icyenda)'
const THOUSANDS_FIRST = new RegExp(
  String.raw`(?<!bihumbi )\b(${COUNT})(?: na magana ([a-z]+)| (?:i?bihumbi|igihumbi))\b`,
  'g',
)

/** The longest " na mirongo itandatu igihumbi" that is looked at behind hundreds. */
const MAX_TENS = 40

/** A number that is written in words, and where. */
export type WrittenNumber = {
  readonly index: number
  readonly length: number
  readonly value: number
  /** Only the class of the number says that thousands are meant. */
  readonly implied?: true
}

/**
 * The sums of at least 100 that a folded text writes in words: English, French, Kinyarwanda or
 * Swahili. Of two that overlap the longer one counts: "bibiri na magana atanu" is not 500.
 */
export function findNumberWords(text: string): readonly WrittenNumber[] {
  const found = [
    ...findEnglishFrench(text),
    ...[...findKinyarwanda(text), ...findImplied(text)].map((one) => addTens(text, one)),
    ...findHundredThousands(text),
    ...findSwahiliNumbers(text),
  ].sort((one, other) => other.length - one.length)
  return found.filter(
    (one, at) =>
      !found
        .slice(0, at)
        .some(
          (long) => one.index < long.index + long.length && long.index < one.index + one.length,
        ),
  )
}

function findEnglishFrench(text: string): WrittenNumber[] {
  const found: WrittenNumber[] = []
  const words = [...text.matchAll(/[a-z]+/g)]
  for (let start = 0; start < words.length; start++) {
    let total = 0
    let current = 0
    let scaled = false
    let last = -1
    for (let at = start; at < words.length; at++) {
      const word = words[at]?.[0] ?? ''
      // "New one 120k": the figure between them makes two numbers of "one" and "k".
      if (at > start && !/^[ -]+$/.test(gapBefore(text, words, at))) break
      const value = ENGLISH_FRENCH[word]
      // "Quatre-vingt" is four times twenty.
      if (value === 20 && current === 4 && word.startsWith('vingt')) current = 80
      else if (value !== undefined) current += value
      else if (HUNDREDS.has(word)) current = Math.max(current, 1) * 100
      else if (THOUSANDS.has(word)) {
        total += Math.max(current, 1) * 1000
        current = 0
      } else if (MILLIONS.has(word)) {
        total += Math.max(current, 1) * 1_000_000
        current = 0
      } else if (at > start && last === at - 1 && JOINERS.has(word)) continue
      else break
      scaled ||= isScale(word)
      last = at
    }
    if (!scaled || last < start) continue
    const first = words[start]
    const end = words[last]
    if (first === undefined || end === undefined) continue
    // "15 mille" and "6 thousand" are figures with a suffix, not words. A scale without a number is
    // one only as "mille" or "a hundred": "grand", "mille mercis" and "k" say something else.
    const before = text.slice(0, first.index)
    const isNumber =
      !isScale(first[0]) ||
      (!/\d\s?$/.test(before) &&
        (/\ba $/.test(before) ||
          /^mille(?! (?:mercis?|excuses|pardons))/.test(text.slice(first.index))))
    if (isNumber)
      found.push({
        index: first.index,
        length: end.index + end[0].length - first.index,
        value: /\bhalf a $/.test(before)
          ? (total + current) / 2
          : total + roundRest(total, current),
      })
    start = last
  }
  return found
}

// "Six mille cinq" is 6,500: no price is 6,005.
function roundRest(thousands: number, rest: number): number {
  return thousands > 0 && rest > 0 && rest < 10 ? rest * 100 : rest
}

function gapBefore(text: string, words: readonly RegExpExecArray[], at: number): string {
  const before = words[at - 1]
  return text.slice((before?.index ?? 0) + (before?.[0].length ?? 0), words[at]?.index)
}

function isScale(word: string): boolean {
  return HUNDREDS.has(word) || THOUSANDS.has(word) || MILLIONS.has(word)
}

function findKinyarwanda(text: string): WrittenNumber[] {
  const found: WrittenNumber[] = []
  const pattern =
    /\b(?:(i?bihumbi) ((?:mirongo )?[a-z]+(?: na [a-z]+)?)|(igihumbi))(?: na (magana) ([a-z]+)| n'(ijana))?|\b(magana) ([a-z]+)/g
  for (const match of text.matchAll(pattern)) {
    const [
      whole,
      many,
      count = '',
      one,
      hundreds,
      hundredCount = '',
      single,
      alone,
      aloneCount = '',
    ] = match
    // "ibihumbi bibiri na magana atanu": the greedy "na" belongs to the hundreds.
    const counted = count.replace(/ na magana$/, '')
    const swallowed =
      counted !== count ? /^ ([a-z]+)/.exec(text.slice(match.index + whole.length)) : null
    let value = 0
    if (many !== undefined) value += 1000 * (belowHundred(counted) ?? Number.NaN)
    if (one !== undefined) value += 1000
    if (hundreds !== undefined) value += 100 * (belowHundred(hundredCount) ?? Number.NaN)
    if (swallowed !== null) value += 100 * (belowHundred(swallowed[1] ?? '') ?? Number.NaN)
    if (single !== undefined) value += 100
    if (alone !== undefined) value += 100 * (belowHundred(aloneCount) ?? Number.NaN)
    if (Number.isFinite(value))
      found.push({
        index: match.index,
        length: whole.length + (swallowed?.[0].length ?? 0),
        value,
      })
  }
  return found
}

// "Ibihumbi ijana na mirongo ine" is 140,000: hundreds right behind the thousands count them.
function findHundredThousands(text: string): WrittenNumber[] {
  const pattern =
    /\bi?bihumbi (?:(ijana)|magana ([a-z]+))(?: na ((?:mirongo [a-z]+|makumyabiri|i?cumi|bi[a-z]+|umunani|icyenda)(?: na (?!magana)[a-z]+)?))?/g
  return [...text.matchAll(pattern)].flatMap(({ 0: whole, 1: one, 2: many, 3: rest, index }) => {
    const hundreds = one === undefined ? belowHundred(many ?? '') : 1
    const below = rest === undefined ? 0 : belowHundred(rest)
    return hundreds === undefined || below === undefined
      ? []
      : [{ index, length: whole.length, value: 1000 * (100 * hundreds + below) }]
  })
}

function findImplied(text: string): WrittenNumber[] {
  const alone = [...text.matchAll(IMPLIED_THOUSANDS)].map(
    ({ 0: whole, 1: count = '', index }): WrittenNumber => ({
      index,
      length: whole.length,
      value: 1000 * (belowHundred(count) ?? 0),
      implied: true,
    }),
  )
  const scaled = [...text.matchAll(THOUSANDS_FIRST)].map(
    ({ 0: whole, 1: count = '', 2: hundreds, index }): WrittenNumber => ({
      index,
      length: whole.length,
      value: 1000 * (belowHundred(count) ?? 0) + 100 * (belowHundred(hundreds ?? '') ?? 0),
    }),
  )
  const figures = [...text.matchAll(/\b(?:i?bihumbi|elfu) (\d{1,3})(?![\d.,]*\d)/g)].map(
    ({ 0: whole, 1: count = '', index }): WrittenNumber => ({
      index,
      length: whole.length,
      value: 1000 * Number(count),
    }),
  )
  return [...alone, ...scaled, ...figures]
}

// "Magana ane na mirongo itanu" is 450.
function addTens(text: string, number: WrittenNumber): WrittenNumber {
  const { index, length, value } = number
  const tens = /^ na (mirongo [a-z]+|makumyabiri|i?cumi)\b(?! (?:na |i?bihumbi|igihumbi))/.exec(
    text.slice(index + length, index + length + MAX_TENS),
  )
  const more = tens === null || value % 1000 === 0 ? undefined : belowHundred(tens[1] ?? '')
  if (tens === null || more === undefined) return number
  return { ...number, length: length + tens[0].length, value: value + more }
}

function belowHundred(words: string): number | undefined {
  const parts = words.replace(/\bmirongo ([a-z]+)/, '$1*').split(' na ')
  let sum = 0
  for (const part of parts) {
    const tens = part.endsWith('*')
    const unit = KINYARWANDA_UNITS.find(([form]) => form.test(part.replace('*', '')))?.[1]
    const value = /^i?cumi$/.test(part) ? 10 : part === 'makumyabiri' ? 20 : unit
    if (value === undefined) return undefined
    sum += tens ? value * 10 : value
  }
  return sum
}
