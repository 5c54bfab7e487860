import type { CalendarDay } from './calendar-day.ts'
import type { Answer, Price } from './made-case.ts'
import { containment, normalTitle, normalWords, similarity } from './normal-text.ts'

/** What somebody answered, in the zone of the right answer. */
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

/** Right or wrong; absent where there was nothing to be right about. */
export type Score = {
  readonly title: boolean
  readonly date: boolean
  readonly time: boolean
  readonly place: boolean
  readonly end?: boolean
  readonly recurrence?: boolean
  readonly price?: boolean
}

const ALIKE = 0.8
/** An address with its country is a little longer than ours; the whole text is no place. */
const ROOM_FOR_MORE = 2

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
    (right) => similarity(normalTitle(title), normalTitle(right)) >= ALIKE,
  )
}

/** The name or the address is in it; a place where none was said is invented. */
function isPlaceRight(place: Answered['place'], right: Answer['place']): boolean {
  if (right === undefined || place === undefined) return right === place
  const said = normalWords(`${place.name} ${place.address ?? ''}`).join(' ')
  const name = normalTitle(right.name)
  const address = normalWords(right.address ?? '').join(' ')
  if (said.length > (name.length + Math.max(address.length, 30)) * ROOM_FOR_MORE) return false
  return containment(said, name) >= ALIKE || (address !== '' && containment(said, address) >= ALIKE)
}

function isEndRight(answered: Answered, answer: Answer): boolean {
  if (answer.isAllDay) return answered.isAllDay && answered.endDay === answer.endDay
  return answered.endTime === answer.endTime && (answered.endDay ?? answered.day) === answer.endDay
}

function isPriceRight(price: Answered['price'], right: Price): boolean {
  if (price === undefined || price.amount !== right.amount) return false
  return right.amount === 0 || price.currency === undefined || price.currency === right.currency
}

/**
 * One spelling for rules that mean the same: the first Monday is 1MO, or MO and the first of them.
 */
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
