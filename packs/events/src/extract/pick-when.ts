import type { When } from '@surehand/dates'
import { overlaps, type SourceText } from './source-text.ts'

export type PickedWhen = {
  readonly when: When
  readonly date: number
  readonly time: number
  readonly others: readonly When[]
}

const LABEL = /(?:when|date|wann|datum|termin|quand|date|cuando|fecha|dia)\s*[:?]\s*$/u

/** Picks the date of the event: in the future, with a time, near the top or after a label. */
export function pickWhen(
  whens: readonly When[],
  source: SourceText,
  today: string,
): PickedWhen | undefined {
  const ranked = whens
    // When something was sent or founded is the date of no event.
    .filter(({ aside }) => aside !== 'publication')
    .map((when) => ({ when, score: scoreWhen(when, source, today) }))
    .toSorted((one, other) => other.score - one.score)
  const [best, ...rest] = ranked
  if (best === undefined) return undefined
  const rivals = rest.filter(
    ({ when }) =>
      when.aside === undefined && (when.day !== best.when.day || when.time !== best.when.time),
  )
  const rival = rivals[0]
  const closeness = rival === undefined ? 0 : Math.max(0, 1 - (best.score - rival.score) / 0.5)
  const past = best.when.day < today ? 0.6 : 1
  const readable = 0.5 + 0.5 * lineConfidence(best.when, source)
  const date =
    best.when.confidence *
    past *
    readable *
    strayMonthFactor(best.when, source) *
    (1 - 0.35 * closeness)
  const sameDay = rivals.some(({ when }) => when.day === best.when.day)
  // If the text contains no time at all, "no time" is a good reading.
  const time =
    best.when.time === undefined
      ? whens.some((when) => when.time !== undefined)
        ? 0.4
        : 0.7
      : best.when.timeConfidence
  return {
    when: withFirstDay(best.when, whens, source),
    date: round(date),
    time: round(time * readable * (sameDay ? 0.8 : 1) * (1 - 0.25 * closeness)),
    others: rest.map(({ when }) => when),
  }
}

/** "Saturday + Sunday, 11–6": the hours of both days stand behind the second. */
function withFirstDay(when: When, whens: readonly When[], { folded }: SourceText): When {
  const first = whens.find(({ day, time, recurrence, index, text }) => {
    const end = index + text.length
    return (
      recurrence === undefined &&
      time === undefined &&
      day < when.day &&
      end <= when.index &&
      /^\s*(?:and|&|\+|und|et|y|e|\/)\s*$/u.test(folded.slice(end, when.index))
    )
  })
  return first === undefined || when.recurrence !== undefined
    ? when
    : { ...when, day: first.day, endDay: when.endDay ?? when.day }
}

/** The confidence of the lines that contain the date. */
function lineConfidence({ spans }: When, { lines }: SourceText): number {
  const own = lines.filter((line) => spans.some((span) => overlaps(span, line)))
  return Math.min(1, ...own.map(({ confidence }) => confidence))
}

const MONTH =
  /(?<!\p{L})(?:january|february|march|april|june|july|august|september|october|november|december|januar|februar|marz|juni|juli|oktober|dezember|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)(?!\p{L})/gu

// A month that belongs to no date is part of a date whose day was not read. On a flyer, a weekday
// alone also suggests that the date was not read.
function strayMonthFactor({ spans, recurrence }: When, { folded, isPicture }: SourceText): number {
  if (
    recurrence !== undefined ||
    spans.some(({ start, end }) =>
      /\d/.test(folded.slice(start, end).replace(/\d{1,2}(?::\d\d|\s?(?:h|uhr|am|pm)).*/, '')),
    )
  )
    return 1
  const isStray = [...folded.matchAll(MONTH)].some((match) =>
    spans.every(
      (span) => !overlaps(span, { start: match.index, end: match.index + match[0].length }),
    ),
  )
  return isStray ? 0.5 : isPicture ? 0.65 : 1
}

function scoreWhen(when: When, { folded, text, lines }: SourceText, today: string): number {
  const before = folded.slice(Math.max(0, when.index - 20), when.index)
  const depth = when.index / Math.max(1, text.length)
  // In a chat, the last proposal is what was agreed on.
  const isChat = lines.some(({ speaker }) => speaker !== undefined)
  const early = 0.15 * (isChat ? depth : 1 - depth)
  return (
    when.confidence +
    (when.time === undefined ? 0 : 0.3) +
    (LABEL.test(before) ? 0.4 : 0) +
    (when.recurrence === undefined ? 0 : 0.1) +
    (when.day < today ? -0.4 : 0) +
    early
  )
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
