/** A phone number as people may see it: its last three digits. */
export function maskPhone(phone: string): string {
  return `***${phone.replaceAll(/\D/g, '').slice(-3)}`
}

// Seven to fifteen digits with the signs that people write between them. Shorter numbers are
// prices and quantities.
const PHONE = /(?<![\w.,])\+?\d(?:[\s().-]?\d){6,14}(?![\w])/g
// 12,000,000 or 12 000 000 is an amount of money.
const AMOUNT = /^\d{1,3}(?:[ .,]\d{3})+$/

/** A text in which phone numbers are masked. Amounts of money stay as they are. */
export function maskPhones(text: string): string {
  return text.replaceAll(PHONE, (found) => (AMOUNT.test(found) ? found : maskPhone(found)))
}

// How many signs may stand between two digits of a number: "0788 / 555-001".
const MAX_GAP = 3
// The part of a number that stays when the country code is left out or replaced by a zero.
const NATIONAL_DIGITS = 9
const SHORTEST = 7

/**
 * A text without these numbers, however their digits are separated, with or without the country
 * code.
 */
export function withoutNumbers(text: string, numbers: readonly string[]): string {
  return numbers.reduce((cleaned, number) => withoutNumber(cleaned, number), text)
}

// Not one pattern with signs allowed between all digits: compiling it takes seconds.
function withoutNumber(text: string, number: string): string {
  const digits = number.replaceAll(/\D/g, '')
  const national = digits.slice(-NATIONAL_DIGITS)
  if (national.length < SHORTEST) return text
  const found = [...text.matchAll(/\p{Nd}/gu)].map((match) => ({
    at: match.index,
    length: match[0].length,
    digit: toAscii(match[0]),
  }))
  let cleaned = ''
  let copied = 0
  for (let first = 0; first + national.length <= found.length; first++) {
    const run = found.slice(first, first + national.length)
    if (run.map(({ digit }) => digit).join('') !== national || !isConnected(text, run)) continue
    const start = found[startOfNumber(text, found, first, digits)]
    const end = run.at(-1)
    if (start === undefined || end === undefined) continue
    cleaned += text.slice(copied, start.at) + maskPhone(digits)
    copied = end.at + end.length
    first += national.length - 1
  }
  return cleaned + text.slice(copied)
}

type Digit = { readonly at: number; readonly length: number; readonly digit: string }

function isConnected(text: string, run: readonly Digit[]): boolean {
  return run.every((digit, index) => {
    const next = run[index + 1]
    return next === undefined || isGap(text.slice(digit.at + digit.length, next.at))
  })
}

function isGap(between: string): boolean {
  return between.length <= MAX_GAP && !/[\p{L}\p{N}]/u.test(between)
}

/** The index of the first digit that belongs to the number: its country code, or a zero. */
function startOfNumber(
  text: string,
  found: readonly Digit[],
  national: number,
  digits: string,
): number {
  const code = digits.slice(0, -NATIONAL_DIGITS)
  for (const prefix of [code, '0']) {
    const from = national - prefix.length
    const run = found.slice(Math.max(0, from), national + 1)
    const isThere =
      prefix !== '' &&
      from >= 0 &&
      run
        .slice(0, -1)
        .map(({ digit }) => digit)
        .join('') === prefix
    if (isThere && isConnected(text, run)) return from
  }
  return national
}

// Digits of other scripts have the values 0 to 9 in order, from a code point that ends in 0 or 6.
function toAscii(digit: string): string {
  return digit.normalize('NFKC').replace(/[^0-9]/u, (other) => {
    const code = other.codePointAt(0) ?? 0
    for (let value = 0; value < 10; value++)
      if (!/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) return String(value)
    return String(code % 10)
  })
}
