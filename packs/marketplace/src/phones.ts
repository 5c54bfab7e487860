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

/**
 * A text without these numbers, however their digits are separated, with or without the country
 * code.
 */
export function withoutNumbers(text: string, numbers: readonly string[]): string {
  let cleaned = text
  for (const number of numbers) {
    const digits = number.replaceAll(/\D/g, '')
    // The national part: what stays when the country code is left out or replaced by a zero.
    const national = digits.slice(-9)
    if (national.length < 7) continue
    const between = '[^\\p{L}\\p{N}]{0,3}'
    const pattern = new RegExp(
      `\\+?(?:${[...digits.slice(0, -national.length)].join(between)}${between})?0?${between}${[...national].join(between)}`,
      'gu',
    )
    cleaned = cleaned.replaceAll(pattern, maskPhone(digits))
  }
  return cleaned
}
