import { addDays } from './civil.ts'
import { type DateSpan, findsOf, type Reading } from './reading.ts'
import { resolveDay } from './resolve-day.ts'
import { anyOf, words as wholeWords } from './words/words.ts'

/** Days told from today's, by a weekday, or by the name of a feast. */
export function findRelative(reading: Reading): readonly DateSpan[] {
  const { folded, words, from } = reading
  const found = words.relative.flatMap((rule) =>
    findsOf(folded, rule.pattern()).flatMap((match): DateSpan[] => {
      const groups = match.groups ?? {}
      const read = rule.read(groups, from)
      if (read === undefined) return []
      const manner = groups.wd === undefined && groups.wd2 === undefined ? 'relative' : 'weekday'
      return [
        {
          ...read,
          start: match.index,
          end: match.index + match[0].length,
          manner,
          hasYear: manner === 'relative',
        },
      ]
    }),
  )
  return [...found, ...feasts(reading)]
}

function feasts({ folded, words, from }: Reading): readonly DateSpan[] {
  return findsOf(folded, wholeWords(anyOf(words.holidays.keys()))).flatMap((match): DateSpan[] => {
    const [month, day] = words.holidays.get(match[0].replace(/\s+/g, ' ')) ?? []
    const resolved =
      month === undefined || day === undefined ? undefined : resolveDay({ month, day }, from)
    if (resolved === undefined) return []
    return [
      {
        start: match.index,
        end: match.index + match[0].length,
        day: resolved.day,
        certainty: 0.6,
        manner: 'feast',
        hasYear: false,
      },
    ]
  })
}

/** Today, while its hour is still to come, else tomorrow: for a time without any date. */
export function soonest(reading: Reading, time: string, nowTime: string): string {
  return time > nowTime || reading.from.prefer === 'past'
    ? reading.from.today
    : addDays(reading.from.today, 1)
}
