import type { CalendarDay } from './calendar-day.ts'
import type { Answer, Price } from './generated-case.ts'
import { containment, normalTitle, normalWords, similarity } from './normal-text.ts'

/** An extracted event, in the time zone of the expected answer. */
export type Answered = {
  readonly title?: string | undefined
  readonly day?: CalendarDay | undefined
  readonly time?: string | undefined
  readonly endDay?: CalendarDay | undefined
  readonly endTime?: string | undefined
  readonly isAllDay: boolean
  readonly recurrence?: string | undefined
  readonly place?: { readonly name: string; readonly address?: string | undefined } | undefined
  readonly price?: { readonly amount: number; readonly currency?: string | undefined } | undefined
}

/** Right or wrong per field; absent if the source does not state the field. */
export type Score = {
  readonly title: boolean
  readonly date: boolean
  readonly time: boolean
  readonly place: boolean
  readonly end?: boolean
  readonly recurrence?: boolean
  readonly price?: boolean
}

const MIN_SIMILARITY = 0.8
/** An address may be somewhat longer, for example with a country; the whole text is not a place. */
const MAX_LENGTH_RATIO = 2

export function score(answered: Answered, answer: Answer): Score {
  const hasEnd = answer.endDay !== undefined || answer.endTime !== undefined
  const repeats = answer.recurrence !== undefined || answered.recurrence !== undefined
  return {
    title: isTitleRight(answered.title, answer),
    date: answered.day === answer.day,
    time: answer.isAllDay ? answered.isAllDay : !answered.isAllDay && answered.time === answer.time,
    place: isPlaceRight(answered.place, answer.place),
    ...(hasEnd && { end: isEndRight(answered, answer) }),
    ...(repeats && {
      recurrence: normalRule(answered.recurrence) === normalRule(answer.recurrence),
    }),
    ...(answer.price && { price: isPriceRight(answered.price, answer.price) }),
  }
}

function isTitleRight(title: string | undefined, answer: Answer): boolean {
  if (title === undefined) return false
  return [answer.title, ...(answer.otherTitles ?? [])].some(
    (right) => similarity(normalTitle(title), normalTitle(right)) >= MIN_SIMILARITY,
  )
}

/** Right if it contains the name or the address; a place that was not stated is wrong. */
function isPlaceRight(place: Answered['place'], right: Answer['place']): boolean {
  if (right === undefined || place === undefined) return right === place
  const said = normalWords(`${place.name} ${place.address ?? ''}`).join(' ')
  const name = normalTitle(right.name)
  const address = normalWords(right.address ?? '').join(' ')
  if (said.length > (name.length + Math.max(address.length, 30)) * MAX_LENGTH_RATIO) return false
  return (
    containment(said, name) >= MIN_SIMILARITY ||
    (address !== '' && containment(said, address) >= MIN_SIMILARITY)
  )
}

function isEndRight(answered: Answered, answer: Answer): boolean {
  if (answer.isAllDay) return answered.isAllDay && answered.endDay === answer.endDay
  return answered.endTime === answer.endTime && (answered.endDay ?? answered.day) === answer.endDay
}

function isPriceRight(price: Answered['price'], right: Price): boolean {
  if (price === undefined || price.amount !== right.amount) return false
  return right.amount === 0 || price.currency === undefined || price.currency === right.currency
}

/** One form for equivalent rules: the first Monday is 1MO, or MO with BYSETPOS=1. */
function normalRule(rule: string | undefined): string | undefined {
  if (rule === undefined) return undefined
  const parts = new Map(
    rule
      .replace(/^RRULE:/i, '')
      .toUpperCase()
      .split(';')
      .map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? ''] as const),
  )
  const position = parts.get('BYSETPOS')
  const day = parts.get('BYDAY') ?? ''
  return `${parts.get('FREQ')} ${parts.get('INTERVAL') ?? '1'} ${position ? `${position}${day}` : day.replace(/^\+/, '')}`
}
