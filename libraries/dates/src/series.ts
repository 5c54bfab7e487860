import type { Aside } from './asides.ts'
import { type Anchor, isIn } from './attach.ts'
import type { RepeatSpan } from './find-repeats.ts'
import type { DateSpan, Reading } from './reading.ts'

// so far from "every Tuesday" a date may still say when that begins
const NEAR = 80

type Found = {
  readonly repeats: readonly RepeatSpan[]
  readonly dates: readonly DateSpan[]
  readonly asides: readonly Aside[]
}

/** Anchors of a text: each series with the dates it begins and ends on, and every other date. */
export function joinSeries({ repeats, dates, asides }: Found, reading: Reading): readonly Anchor[] {
  const used = new Set<DateSpan>()
  const series = repeats.map((repeat): Anchor => {
    // when tickets are sold is not when it begins
    const near = dates.filter(
      (date) =>
        !used.has(date) &&
        isNear(repeat, date, reading) &&
        !asides.some((aside) => isIn(date, aside)),
    )
    const until = near.find(
      (date) => date.endDay === undefined && isLed(date, reading.words.until, reading),
    )
    const from =
      near.find((date) => date !== until && isLed(date, reading.words.starting, reading)) ??
      near.find((date) => date !== until && date.manner === 'written')
    for (const date of [until, from]) if (date !== undefined) used.add(date)
    const spans = [
      repeat,
      ...(until === undefined ? [] : [until]),
      ...(from === undefined ? [] : [from]),
    ]
    return {
      start: Math.min(...spans.map(({ start }) => start)),
      end: Math.max(...spans.map(({ end }) => end)),
      repeat,
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until }),
      times: [],
    }
  })
  const single = dates
    .filter((date) => !used.has(date))
    .map((date): Anchor => ({ start: date.start, end: date.end, date, times: [] }))
  return [...series, ...single].toSorted((one, other) => one.start - other.start)
}

function isNear(repeat: RepeatSpan, date: DateSpan, { folded }: Reading): boolean {
  const gap =
    date.start >= repeat.end
      ? folded.slice(repeat.end, date.start)
      : folded.slice(date.end, repeat.start)
  return gap.length <= NEAR && !/[.!?]\s|\n\s*\n/.test(gap)
}

function isLed(date: DateSpan, cue: string, { folded, words }: Reading): boolean {
  const before = folded.slice(Math.max(0, date.start - 30), date.start)
  return new RegExp(String.raw`(?<!\p{L})(?:${cue})\s*(?:(?:${words.dayLead})\s+)?$`, 'u').test(
    before,
  )
}
