const CARD = /(?:\d[ -]?){13,19}/g
const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/, 'a bank account number'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'a private key'],
  [/\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/, 'an API key'],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*/, 'an access token'],
]

/** What kind of secret a text contains, in words; undefined where none is recognized. */
export function findSecret(text: string): string | undefined {
  if ([...text.matchAll(CARD)].some(([digits]) => isCardNumber(digits.replace(/\D/g, ''))))
    return 'a card number'
  return TOKENS.find(([pattern]) => pattern.test(text))?.[1]
}

/** Luhn's check digit: order and phone numbers of that length rarely have it. */
function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || !/^[2-6]/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
