import { de, en, es, fr, type ParsedResult } from 'chrono-node'
import { atTime } from './civil.ts'
import { wall } from './hour-of.ts'
import { dayText } from './resolve-day.ts'
import type { Language, ReadWhenOptions, When } from './when.ts'

const MOST_PIECES = 4
const READERS = { en: en.casual, de: de.casual, fr: fr.casual, es: es.casual }

/**
 * chrono-node, for what our own words do not know: its parts alone; its instants are wrong where
 * clocks change.
 */
export function readBySecond(
  text: string,
  options: ReadWhenOptions,
  languages: readonly Language[],
): readonly When[] | undefined {
  const pieces = piecesOf(text)
  for (const language of languages) {
    const found = pieces.flatMap((piece) =>
      READERS[language]
        .parse(
          piece.text,
          { instant: new Date(options.now), timezone: offsetMinutes(options) },
          { forwardDate: options.prefer !== 'past' },
        )
        .flatMap(
          (result) =>
            toWhen(
              { text: result.text, index: piece.index + result.index, start: result.start },
              options,
              language,
            ) ?? [],
        ),
    )
    if (found.length > 0) return found
  }
  return undefined
}

/**
 * Its patterns take the square of a text's length: it is given a few short pieces, each beginning
 * with a word.
 */
function piecesOf(text: string): readonly { readonly text: string; readonly index: number }[] {
  const pieces = text.matchAll(/[\p{L}\p{N}][\s\S]{0,999}(?![\p{L}\p{N}])|[\p{L}\p{N}]{1000}/gu)
  return [...pieces.take(MOST_PIECES)].map((match) => ({ text: match[0], index: match.index }))
}

function offsetMinutes({ now, timeZone }: ReadWhenOptions): number {
  const day = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(
    now,
  )
  const offset = day
    .find(({ type }) => type === 'timeZoneName')
    ?.value.match(/([+-])(\d{2}):(\d{2})/)
  if (offset === null || offset === undefined) return 0
  return (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3]))
}

function toWhen(
  { text, index, start }: Pick<ParsedResult, 'text' | 'index' | 'start'>,
  { timeZone }: ReadWhenOptions,
  language: Language,
): When | undefined {
  const isDated = start.isCertain('day') || start.isCertain('weekday')
  const day = dayText(start.get('year') ?? 0, start.get('month') ?? 0, start.get('day') ?? 0)
  // dates in numbers it reads as Americans do
  if (!isDated || day === undefined || !/\p{L}{3}/u.test(text)) return undefined
  const time = start.isCertain('hour')
    ? wall(start.get('hour') ?? 0, start.get('minute') ?? 0)
    : undefined
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
