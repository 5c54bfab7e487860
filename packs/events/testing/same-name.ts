import { normalTitle, normalWords } from './normal-text.ts'

// Articles, prepositions and conjunctions of the four languages: a name is the same without them.
const SMALL_WORDS = new Set(
  `the a an of and at in on for with to from by s der die das den dem des ein eine und am an im in
  auf bei beim mit von vom zu zum zur fur le la les l un une de du des d et a au aux en chez avec
  pour el los las un una y e del al con para por`.split(/\s+/),
)
/** The shares of the expected words that were read, and of the read words that were expected. */
const LEAST_FOUND = 0.8
const LEAST_MEANT = 0.6

/**
 * Whether two names are the same: without case, accents, punctuation and small words, at least 80 %
 * of the expected words are in the answer (of up to four words, all), and at least 60 % of the words
 * of the answer were expected. A word of five letters may differ in one of them, as OCR misreads.
 */
export function isSameName(answered: string, expected: string): boolean {
  const [read, right] = [coreWords(answered), coreWords(expected)]
  if (read.length === 0 || right.length === 0) return read.length === right.length
  const found = right.filter((word) => read.some((other) => isSameWord(word, other))).length
  const meant = read.filter((word) => right.some((other) => isSameWord(word, other))).length
  return found / right.length >= LEAST_FOUND && meant / read.length >= LEAST_MEANT
}

/** Whether two names are equal without case, accents, punctuation and a leading article. */
export function isEqualName(answered: string, expected: string): boolean {
  return normalTitle(answered) === normalTitle(expected)
}

export type PlaceLike = { readonly name: string; readonly address?: string | undefined }

/**
 * Whether a place is the expected one: by its name, its address, its name and address together, or by its
 * name where the expected text goes on with an address after a comma. No place is right if none is
 * expected.
 */
export function isSamePlace(place: PlaceLike | undefined, expected: string): boolean {
  if (place === undefined || expected.trim() === '') return place === undefined && expected === ''
  const { name, address = '' } = place
  const [head = expected] = expected.split(/\s*[,(\n]\s*/u)
  const right = coreWords(expected)
  const isOwn = coreWords(name).some((word) => right.some((other) => isSameWord(word, other)))
  const found = coreWords(`${name} ${address}`)
  const isWhole =
    right.length > 0 &&
    right.filter((word) => found.some((other) => isSameWord(word, other))).length / right.length >=
      LEAST_FOUND
  return (
    isSameName(name, expected) ||
    isSameName(address, expected) ||
    (isOwn && isWhole) ||
    // "12 King Street" before the comma is a number and a street, which name nothing else.
    (head !== expected && /\p{L}{3}/u.test(head) && isSameName(name, head))
  )
}

// A shorter piece, such as "the" or "12", names no place.
const LEAST_LETTERS = 3
/** A place may be longer than the expected one by its address; a whole sentence is none. */
const MOST_OTHER_WORDS = 12

/**
 * Whether one place contains the other, word by word, without case, accents and punctuation: its
 * name, its address, or both in either order.
 */
export function isContainedPlace({ name, address = '' }: PlaceLike, expected: string): boolean {
  const right = joinWords(expected)
  const whole = [`${name} ${address}`, `${address} ${name}`, name].map(joinWords)
  return whole.some(
    (said) =>
      (said.includes(right) && countWords(said) - countWords(right) <= MOST_OTHER_WORDS) ||
      (right.includes(said) && (said.match(/\p{L}/gu)?.length ?? 0) >= LEAST_LETTERS),
  )
}

/** With a blank at either end, so that a word is contained as a whole. */
function joinWords(text: string): string {
  return ` ${normalWords(text).join(' ')} `
}

function countWords(joined: string): number {
  return joined.trim().split(' ').length
}

function coreWords(text: string): readonly string[] {
  const all = normalWords(text)
  const core = all.filter((word) => !SMALL_WORDS.has(word))
  return core.length === 0 ? all : core
}

function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const longer = Math.max(one.length, other.length)
  return longer >= 5 && /^\p{L}+$/u.test(one) && differsByOne(one, other)
}

/** Whether one letter replaced, added or left out makes one word the other. */
function differsByOne(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  const most = Math.min(one.length, other.length) - start
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end++
  return Math.max(one.length, other.length) - start - end <= 1
}
