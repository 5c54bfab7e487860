import type { Temporal } from 'temporal-polyfill'

/**
 * Every so many days or weeks, or hours of UTC, and nothing else: its times are reckoned, and need
 * not be counted one by one.
 */
export type EvenSeries = {
  readonly step: { readonly hours: number } | { readonly days: number }
  readonly count: number
}
type Stretch = { readonly fromMs: number; readonly toMs: number }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const EVEN =
  /^(?:(?:INTERVAL|COUNT|WKST)=[A-Z0-9]+;)*FREQ=(?:HOURLY|DAILY|WEEKLY)(?:;(?:INTERVAL|COUNT|WKST)=[A-Z0-9]+)*$/

/** The rule as such a series, if it is one as far as `toMs`. */
export function evenSeries(
  rule: string,
  start: Temporal.ZonedDateTime,
  toMs: number,
): EvenSeries | undefined {
  if (!EVEN.test(rule)) return undefined
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string]))
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const count = Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY)
  const isHourly = parts.get('FREQ') === 'HOURLY'
  if (start.timeZoneId !== 'UTC' && (isHourly || losesTimes(start, toMs))) return undefined
  if (isHourly) return { step: { hours: interval }, count }
  return { step: { days: interval * (parts.get('FREQ') === 'WEEKLY' ? 7 : 1) }, count }
}

/** Which of its times may be in a stretch, by their numbers; the first is 0. */
export function numbersIn(
  { step, count }: EvenSeries,
  start: Temporal.ZonedDateTime,
  { fromMs, toMs }: Stretch,
): readonly [number, number] {
  const stepMs = 'hours' in step ? step.hours * HOUR_MS : step.days * DAY_MS
  // no clock is ever moved by more than a day
  const number = (atMs: number): number => Math.floor((atMs - start.epochMilliseconds) / stepMs)
  return [Math.max(0, number(fromMs - DAY_MS)), Math.min(count - 1, number(toMs + DAY_MS))]
}

/** Its times in a stretch. */
export function timesIn(
  series: EvenSeries,
  start: Temporal.ZonedDateTime,
  stretch: Stretch,
): readonly Temporal.ZonedDateTime[] {
  const [first, last] = numbersIn(series, start, stretch)
  const { step } = series
  const times = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    start.add(
      'hours' in step
        ? { hours: step.hours * (first + index) }
        : { days: step.days * (first + index) },
    ),
  )
  return times.filter(
    ({ epochMilliseconds }) =>
      epochMilliseconds >= stretch.fromMs && epochMilliseconds <= stretch.toMs,
  )
}

// where clocks jump over this time of day it does not happen, and is not counted
function losesTimes(start: Temporal.ZonedDateTime, toMs: number): boolean {
  const at = start.toPlainTime()
  for (
    let jump = start.getTimeZoneTransition('next');
    jump !== null && jump.epochMilliseconds <= toMs;
    jump = jump.getTimeZoneTransition('next')
  ) {
    const before = jump.subtract({ milliseconds: 1 })
    const [from, to] = [before.toPlainDateTime().add({ milliseconds: 1 }), jump.toPlainDateTime()]
    if (from.until(to).sign <= 0) continue
    const lost = [from, to].map((end) => end.toPlainDate().toPlainDateTime(at))
    if (lost.some((time) => from.until(time).sign >= 0 && time.until(to).sign > 0)) return true
  }
  return false
}
