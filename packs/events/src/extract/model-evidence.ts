import { fold } from '@surehand/dates'

/** The words of a text without case, accents and punctuation. */
export function toWords(text: string): readonly string[] {
  return fold(text)
    .replaceAll('ß', 'ss')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** A shorter word is an article or a preposition, or stands in every text. */
const LEAST_LETTERS = 4
/** The kind of an event ("Lunch", "Train to") is often said by what the text is. */
const LEAST_FOUND = 0.5

/** Whether the text contains the significant words of a title or place, in any order and form. */
export function containsWords(text: string, value: string): boolean {
  const known = toWords(text).join(' ')
  const words = toWords(value).filter((word) => word.length >= LEAST_LETTERS)
  return words.filter((word) => known.includes(word)).length >= LEAST_FOUND * words.length
}

/** Whether the text contains the number of the day. Weekdays and "tomorrow" contain none. */
export function containsDay(text: string, day: string): boolean {
  const number = Number(day.slice(8))
  return findNumbers(text).some((one) => Number(one) === number)
}

/** Whether the text contains the time in digits, of 12 or 24 hours. */
export function containsTime(text: string, time: string): boolean {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const numbers = findNumbers(text).map(Number)
  return (
    numbers.some(
      (one, index) =>
        (one === hour || one === hour % 12 || (hour === 0 && one === 12)) &&
        (minute === 0 || numbers[index + 1] === minute),
    ) || numbers.includes(hour * 100 + minute)
  )
}

// "2100" and "20:30" are times; a longer number is a phone or an order.
function findNumbers(text: string): readonly string[] {
  return text.match(/(?<!\d)\d{1,4}(?!\d)/g) ?? []
}
