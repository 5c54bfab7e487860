import { addDays, type Day, dayOf, readWhen } from '@surehand/dates'
import type { TripWish } from './trip-wish.ts'

export type WishReading = { readonly nowMs: number; readonly timeZone: string }

const NUMBERS = new Map(
  'one two three four five six seven eight nine ten eleven twelve fourteen'
    .split(' ')
    .map((word, index) => [word, word === 'fourteen' ? 14 : index + 1]),
)
const NUMBER = String.raw`\d{1,3}|${[...NUMBERS.keys()].join('|')}|a|an`
const MONTHS =
  'january february march april may june july august september october november december'.split(' ')
/** Without a day in the wish, a trip starts on this day of the month. */
const ASSUMED_DAY = '10'
/** Below it a date is a guess, such as "a week" read as "in a week". */
const SURE = 0.8
const INTERESTS: readonly (readonly [words: RegExp, interest: string])[] = [
  [/\bmuseums?\b|\bart\b|\bgaller/i, 'museums'],
  [/\bfood|\beat|restaurants?|\bcuisine|\bwine\b/i, 'food'],
  [/\bbeach|\bsea\b|\bswim|\bsurf/i, 'beaches'],
  [/\bhik|\bwalk|\bnature|\bmountain/i, 'hiking'],
  [/\bhistor|\bcastle|\bold town|\bruins?\b/i, 'historic sights'],
  [/\bmusic|\bconcert|\bnightlife|\bjazz/i, 'music'],
  [/\bkids?\b|\bchild|\bfamily/i, 'family attractions'],
  [/\bmarkets?\b|\bshop/i, 'markets'],
  [/\bviewpoint|\bview\b|\bphoto/i, 'viewpoints'],
]

/** Reads a wish in English by rules: where, when, for how many, for how much. */
export function readWishByRules(text: string, reading: WishReading): TripWish {
  const nights = findNights(text)
  const dates = findDates(text, nights, reading)
  return {
    destinations: findDestinations(text),
    origin: findOrigin(text),
    startDate: dates.startDate,
    endDate: dates.endDate,
    nights,
    travelers: findTravelers(text),
    budget: findBudget(text),
    interests: INTERESTS.filter(([words]) => words.test(text)).map(([, interest]) => interest),
    assumptions: dates.assumptions,
  }
}

// A place is written with capital letters: "New York", "Rio de Janeiro", "Kraków".
const NAME = String.raw`\p{Lu}[\p{L}'’.-]*(?: (?:(?:de|do|da|del|la|of|am|an der|upon) )?\p{Lu}[\p{L}'’.-]*)*`
// Several: "Lisbon, Porto and Rome".
const NAMES = String.raw`(${NAME}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s+then\s+)${NAME})*)`
const TO = new RegExp(
  String.raw`\b(?:[Ii]n|[Tt]o|[Vv]isit(?:ing)?|around|at|[Ss]ee(?:ing)?|[Ee]xplor(?:e|ing))\s+${NAMES}`,
  'gu',
)
const FROM = new RegExp(String.raw`\b(?:from|leaving|departing)\s+(${NAME})`, 'u')
const FIRST = new RegExp(String.raw`^\s*${NAMES}(?=[\s,:.!?]|$)`, 'u')
const NOT_PLACES = new Set(
  [
    ...MONTHS,
    'i we a an the my our us monday tuesday wednesday thursday friday saturday sunday easter christmas spring summer autumn winter please find plan book somewhere weekend week',
  ].flatMap((words) => words.split(' ')),
)

function findDestinations(text: string): readonly string[] & string[] {
  const origin = findOrigin(text)
  const named = [...text.matchAll(TO)].map(([, names]) => names)
  const lists = named.length > 0 ? named : [FIRST.exec(text)?.[1]]
  const all = lists
    .flatMap((names) => names?.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s+then\s+/u) ?? [])
    .map(cleanName)
  return [...new Set(all.filter((name) => isPlace(name) && name !== origin))].slice(0, 5)
}

function findOrigin(text: string): string | null {
  const found = FROM.exec(text)?.[1]
  const name = found === undefined ? '' : cleanName(found)
  return isPlace(name) ? name : null
}

function cleanName(name: string): string {
  return name.replace(/[.’']+$/u, '').trim()
}

function isPlace(name: string): boolean {
  return name.length > 1 && !NOT_PLACES.has(name.toLowerCase())
}

function findNights(text: string): number | null {
  const weekend = /\b(long )?weekend\b/i.exec(text)
  const counted = new RegExp(
    String.raw`\b(${NUMBER})[ -](nights?|days?|weeks?|fortnights?)\b`,
    'i',
  ).exec(text)
  if (counted === null) return weekend === null ? null : weekend[1] === undefined ? 2 : 3
  const count = toNumber(counted[1] ?? '')
  const unit = counted[2]?.toLowerCase() ?? ''
  const nights = unit.startsWith('week')
    ? count * 7
    : unit.startsWith('fortnight')
      ? count * 14
      : unit.startsWith('day')
        ? Math.max(1, count - 1)
        : count
  return Math.min(60, nights)
}

function toNumber(word: string): number {
  const lower = word.toLowerCase()
  if (lower === 'a' || lower === 'an') return 1
  return NUMBERS.get(lower) ?? Math.max(1, Number(lower))
}

type FoundDates = Pick<TripWish, 'startDate' | 'endDate' | 'assumptions'>

function findDates(text: string, nights: number | null, reading: WishReading): FoundDates {
  const { nowMs, timeZone } = reading
  const [first, second] = readWhen(text, { now: nowMs, timeZone }).filter(
    ({ confidence }) => confidence >= SURE,
  )
  const found = first ?? findMonth(text, reading)
  if (found === undefined) return { startDate: null, endDate: null, assumptions: [] }
  const end = first?.endDay ?? second?.day
  const assumed =
    first === undefined
      ? [`The wish names a month and no day, so ${found.day} is assumed as the first day.`]
      : []
  if (end !== undefined && end > found.day)
    return { startDate: found.day, endDate: end, assumptions: assumed }
  return {
    startDate: found.day,
    endDate: nights === null ? null : addDays(found.day, nights),
    assumptions: assumed,
  }
}

function findMonth(
  text: string,
  { nowMs, timeZone }: WishReading,
): { readonly day: Day } | undefined {
  const named = new RegExp(
    String.raw`\b(?:in|during|mid|early|late|next|this)[ -](${MONTHS.join('|')})(?:\s+(\d{4}))?\b`,
    'i',
  ).exec(text)
  if (named === null) return undefined
  const today = dayOf(nowMs, timeZone)
  const month = String(MONTHS.indexOf(named[1]?.toLowerCase() ?? '') + 1).padStart(2, '0')
  const year = Number(named[2] ?? today.slice(0, 4))
  const day = `${year}-${month}-${ASSUMED_DAY}`
  return { day: day > today || named[2] !== undefined ? day : `${year + 1}${day.slice(4)}` }
}

function findTravelers(text: string): number | null {
  const counted = new RegExp(
    String.raw`\b(?:for|of) (?:the )?(${NUMBER})(?: of us)?(?: people| persons?| adults?| travell?ers| friends)?(?=\s*(?:[,.;!?]|$|\b(?:in|from|under|with|and|to|on|at|people|persons?|adults?|travell?ers|friends)\b))`,
    'i',
  ).exec(text)
  const plain = new RegExp(
    String.raw`\b(${NUMBER}) (?:people|persons?|adults?|travell?ers|of us)\b`,
    'i',
  ).exec(text)
  const word = plain?.[1] ?? counted?.[1]
  if (word !== undefined) return Math.min(16, toNumber(word))
  if (/\bwith my (?:wife|husband|partner|girlfriend|boyfriend|friend|mother|father)\b/i.test(text))
    return 2
  if (/\bcouple\b|\bthe two of us\b/i.test(text)) return 2
  return /\b(?:solo|alone|by myself|just me)\b/i.test(text) ? 1 : null
}

const SIGNS = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
  ['euro', 'EUR'],
  ['euros', 'EUR'],
  ['dollars', 'USD'],
  ['pounds', 'GBP'],
])

function findBudget(text: string): TripWish['budget'] {
  const amount = String.raw`(\d{1,3}(?:[,. ]\d{3})+|\d{2,7})`
  const before = new RegExp(`([€$£])\\s*${amount}`).exec(text)
  const after = new RegExp(`${amount}\\s*(€|£|\\$|euros?|dollars|pounds|[A-Z]{3}\\b)`).exec(text)
  const [sign, digits] = before === null ? [after?.[2], after?.[1]] : [before[1], before[2]]
  if (sign === undefined || digits === undefined) return null
  const currency = SIGNS.get(sign.toLowerCase()) ?? sign
  if (!Intl.supportedValuesOf('currency').includes(currency)) return null
  return { amount: Number(digits.replaceAll(/[,. ]/g, '')), currency }
}
