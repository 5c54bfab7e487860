import { addDays, dayOfWeek, daysBetween } from './civil.ts'
import { findCounted } from './find-counted.ts'
import { findRelative } from './find-relative.ts'
import { findWritten } from './find-written.ts'
import { type DateSpan, leftmost, overlaps, type Reading, type Span } from './reading.ts'

// longer ones are two dates that only stand side by side
const LONGEST_RANGE_DAYS = 200

/** Every date of a text, outside what is taken already. */
export function findDates(reading: Reading, taken: readonly Span[]): readonly DateSpan[] {
  const found = findWritten(reading)
  // "the 12th of May" before "the 12th", and that before "Friday"
  const written = free(
    [...found.filter(({ manner }) => manner === 'written'), ...findCounted(reading)],
    taken,
  )
  const numbers = free(
    found.filter(({ manner }) => manner === 'number'),
    [...taken, ...written],
  )
  const relative = free(findRelative(reading), [...taken, ...written, ...numbers])
  return joinRanges(dropUnnamed(leftmost([...written, ...numbers, ...relative]), reading), reading)
}

function free(dates: readonly DateSpan[], taken: readonly Span[]): readonly DateSpan[] {
  return leftmost(dates.filter((date) => taken.every((span) => !overlaps(span, date))))
}

/**
 * A mere weekday on which a written date falls is that date's name, wherever it stands: "27.11."
 * above, "Friday, 8 pm" below.
 */
function dropUnnamed(all: readonly DateSpan[], { folded }: Reading): readonly DateSpan[] {
  // "New Year's Eve Gala, 30 December": a feast beside a date is part of a name
  const isDated = all.some(({ manner }) => manner === 'written' || manner === 'number')
  const dates = isDated ? all.filter(({ manner }) => manner !== 'feast') : all
  const mere = dates.filter(({ manner }) => manner === 'weekday')
  const owner = (weekday: DateSpan) =>
    dates.find(
      ({ manner, day, endDay }) =>
        manner !== 'weekday' &&
        // "this Friday, and if it rains Friday 28th"
        (day === weekday.day || !CLOSE.test(folded.slice(weekday.start, weekday.end))) &&
        manner !== 'relative' &&
        endDay === undefined &&
        dayOfWeek(day) === dayOfWeek(weekday.day),
    )
  return dates.flatMap((date): DateSpan[] => {
    if (mere.includes(date)) return owner(date) === undefined ? [date] : []
    const own = mere.filter((weekday) => owner(weekday) === date)
    if (own.length === 0) return [date]
    const part = date.part ?? own.find((weekday) => weekday.part !== undefined)?.part
    const certainty = Math.max(date.certainty, Math.min(0.97, date.certainty + 0.05))
    return [
      {
        ...date,
        certainty,
        names: own.map(({ start, end }) => ({ start, end })),
        ...(part === undefined ? {} : { part }),
      },
    ]
  })
}

const CLOSE = /^(?:this|diese[nrm]?|ce|este)\s/u

/** Two dates with nothing but "to" between them are one. */
function joinRanges(dates: readonly DateSpan[], reading: Reading): readonly DateSpan[] {
  const between = new RegExp(
    String.raw`^\s*,?\s*(?:${reading.words.to})\s*(?:(?:${reading.words.dayLead})\s+)?$`,
    'u',
  )
  const kept: DateSpan[] = []
  for (const date of dates) {
    const before = kept.at(-1)
    const range =
      before !== undefined &&
      before.endDay === undefined &&
      between.test(reading.folded.slice(before.end, date.start))
        ? toDateRange(before, date)
        : undefined
    if (range === undefined) kept.push(date)
    else kept.splice(-1, 1, range)
  }
  return kept
}

function toDateRange(first: DateSpan, last: DateSpan): DateSpan | undefined {
  let day = first.day
  // "30 December to 2 January 2027": the year that is said goes for both
  if (last.hasYear && !first.hasYear) {
    const year = Number(last.day.slice(0, 4))
    const inYear = `${year}${day.slice(4)}`
    day = inYear <= last.day ? inYear : `${year - 1}${day.slice(4)}`
  }
  let endDay = last.endDay ?? last.day
  if (endDay < day && last.manner === 'weekday') endDay = addDays(endDay, 7)
  const length = daysBetween(day, endDay)
  if (length <= 0 || length > LONGEST_RANGE_DAYS) return undefined
  return {
    ...first,
    day,
    endDay,
    end: last.end,
    hasYear: first.hasYear || last.hasYear,
    certainty: Math.min(first.certainty, last.certainty),
  }
}
