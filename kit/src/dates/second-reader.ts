import { de, en, es, fr, type ParsedResult } from 'chrono-node'
import { atTime } from './civil.ts'
import { wall } from './hour-of.ts'
import { dayText } from './resolve-day.ts'
import type { Language, ReadWhenOptions, When } from './when.ts'

const READERS = { en: en.casual, de: de.casual, fr: fr.casual, es: es.casual }

/** chrono-node, for what our own words do not know: its parts alone; its instants are wrong where clocks change. */
export function readBySecond(text: string, options: ReadWhenOptions, languages: readonly Language[]): readonly When[] | undefined {
  for (const language of languages) {
    const found = READERS[language]
      .parse(text, { instant: new Date(options.now), timezone: offsetMinutes(options) }, { forwardDate: options.prefer !== 'past' })
      .flatMap((result) => toWhen(result, options, language) ?? [])
    if (found.length > 0) return found
  }
  return undefined
}

function offsetMinutes({ now, timeZone }: ReadWhenOptions): number {
  const day = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now)
  const offset = day.find(({ type }) => type === 'timeZoneName')?.value.match(/([+-])(\d{2}):(\d{2})/)
  if (offset === null || offset === undefined) return 0
  return (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3]))
}

function toWhen({ text, index, start }: ParsedResult, { timeZone }: ReadWhenOptions, language: Language): When | undefined {
  const isDated = start.isCertain('day') || start.isCertain('weekday')
  const day = dayText(start.get('year') ?? 0, start.get('month') ?? 0, start.get('day') ?? 0)
  // dates in numbers it reads as Americans do
  if (!isDated || day === undefined || !/\p{L}{3}/u.test(text)) return undefined
  const time = start.isCertain('hour') ? wall(start.get('hour') ?? 0, start.get('minute') ?? 0) : undefined
  // a time that no clock shows there is none
  if (time !== undefined && Number.isNaN(atTime(day, time, timeZone))) return undefined
  return {
    text,
    index,
    spans: [{ start: index, end: index + text.length }],
    day,
    ...(time === undefined ? {} : { time }),
    isAllDay: time === undefined,
    timeZone,
    confidence: 0.5,
    timeConfidence: time === undefined ? 0 : 0.5,
    language,
  }
}
