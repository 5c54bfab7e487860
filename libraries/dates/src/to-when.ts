import type { Anchor } from './attach.ts'
import { addDays, atTime, dayOf, dayOfWeek, daysBetween, timeOf, type WallTime } from './civil.ts'
import { firstOf, ruleText } from './find-repeats.ts'
import type { Clock, TimeSpan } from './find-times.ts'
import { type Zone, zoneAfter } from './find-zone.ts'
import { endHourOf, type Hour, hourOf, type Mood, wall } from './hour-of.ts'
import type { Reading, Span } from './reading.ts'
import type { When } from './when.ts'

type Times = {
  readonly start?: Hour
  readonly end?: Hour
  readonly doors?: Hour
  readonly zone?: Zone
  readonly main?: TimeSpan
  readonly last: number
}

/** A date and its times as one When. */
export function toWhen(anchor: Anchor, reading: Reading, mood: Mood): When | undefined {
  const part = anchor.date?.part
  const times = readTimes(
    nearestFirst(anchor),
    reading,
    part === undefined ? mood : { ...mood, part },
  )
  const { timeZone, offset } = times.zone ?? { timeZone: reading.timeZone, offset: undefined }
  const placed =
    anchor.date?.minutes === undefined ? undefined : reading.nowMs + anchor.date.minutes * 60_000
  const time = placed === undefined ? times.start?.time : timeOf(placed, timeZone)
  const day = placed === undefined ? dayIn(anchor, reading, time) : dayOf(placed, timeZone)
  const ending = endOf(
    { ...(anchor.date?.endDay === undefined ? {} : { last: anchor.date.endDay }), day },
    time,
    times.end?.time,
  )
  const starts = [anchor, ...anchor.times].map(({ start }) => start)
  const [from, to] = [Math.min(...starts), Math.max(anchor.end, times.last)]
  const isAllDay = time === undefined
  const until = anchor.until?.day ?? anchor.from?.endDay
  return {
    text: reading.text.slice(from, to).trim(),
    index: from,
    spans: [
      ...spansOf(anchor),
      ...anchor.times.map((one) => ({
        start: one.start,
        end: one === times.main ? Math.max(one.end, times.zone?.end ?? 0) : one.end,
      })),
    ],
    day,
    ...(time === undefined ? {} : { time }),
    ...ending,
    isAllDay,
    timeZone,
    ...(times.zone === undefined || times.zone.isLocal ? {} : { zone: 'named' as const }),
    ...(offset === undefined ? {} : { offset }),
    ...(anchor.repeat === undefined
      ? {}
      : {
          recurrence: [
            ruleText(
              anchor.repeat.repeat,
              until === undefined ? undefined : { day: until, isAllDay, timeZone },
            ),
          ],
        }),
    ...exceptionsOf(anchor, reading),
    ...(times.doors === undefined || times.start === undefined ? {} : { doors: times.doors.time }),
    ...(anchor.aside === undefined ? {} : { aside: anchor.aside.kind }),
    confidence: roundConfidence(
      (anchor.date?.certainty ?? anchor.from?.certainty ?? 0.9) *
        (anchor.aside === undefined ? 1 : 0.4),
    ),
    timeConfidence: roundConfidence(placed !== undefined ? 0.95 : (times.start?.certainty ?? 0)),
    language: reading.words.language,
  }
}

// more are a season, not exceptions
const MOST_EXCEPTIONS = 25

/** "except 24 and 31 Dec" are two days, "except 24 Dec to 6 Jan" are all between them. */
function exceptionsOf({ except = [], repeat }: Anchor, { folded, words }: Reading) {
  const days = except.flatMap(({ day, endDay, start, end }) => {
    if (endDay === undefined) return [day]
    const isList = new RegExp(String.raw`\s(?:${words.and})\s`, 'u').test(folded.slice(start, end))
    if (isList) return [day, endDay]
    const length = Math.min(MOST_EXCEPTIONS, daysBetween(day, endDay) + 1)
    return Array.from({ length }, (_, index) => addDays(day, index))
  })
  const weekdays = repeat?.repeat.weekdays
  const own = days.filter((day) => weekdays === undefined || weekdays.includes(dayOfWeek(day)))
  return own.length === 0 ? {} : { exceptions: own.slice(0, MOST_EXCEPTIONS) }
}

function spansOf({ date, repeat, from, until, except = [] }: Anchor): readonly Span[] {
  const spans = [date, repeat, from, until, ...except].flatMap((span) =>
    span === undefined ? [] : [{ start: span.start, end: span.end }],
  )
  return [...spans, ...(date?.names ?? [])]
}

function dayIn(
  { date, repeat, from }: Anchor,
  reading: Reading,
  time: WallTime | undefined,
): string {
  if (repeat === undefined) return date?.day ?? reading.from.today
  if (from !== undefined) return firstOf(repeat.repeat, from.day)
  const { today } = reading.from
  // this evening's is still to come, this morning's is over
  const first = firstOf(repeat.repeat, today)
  const isOver =
    first === today && time !== undefined && atTime(today, time, reading.timeZone) <= reading.nowMs
  return isOver ? firstOf(repeat.repeat, addDays(today, 1)) : first
}

// the kitchen's hours further down are not the concert's
function nearestFirst({ start, end, times }: Anchor): readonly TimeSpan[] {
  const away = (time: TimeSpan) => Math.max(0, time.start - end, start - time.end)
  return times.toSorted((one, other) => away(one) - away(other))
}

function endOf(
  { day, last }: { readonly day: string; readonly last?: string },
  time: WallTime | undefined,
  end: WallTime | undefined,
): Pick<When, 'endDay' | 'endTime'> {
  if (time === undefined || end === undefined) return last === undefined ? {} : { endDay: last }
  if (last !== undefined) return { endDay: last, endTime: end }
  // until two in the morning is until the next day
  return { endDay: end <= time ? addDays(day, 1) : day, endTime: end }
}

function readTimes(times: readonly TimeSpan[], reading: Reading, mood: Mood): Times {
  const nearest = times[0]?.role === undefined ? times[0] : undefined
  const main =
    times.find((time) => time.role === 'start' && !isBefore(time, nearest, mood)) ??
    times.find(({ role }) => role === undefined) ??
    times.find(({ role }) => role === 'doors')
  const doors = times.find((time) => time.role === 'doors' && time !== main)
  const endTime = times.find((time) => time.role === 'end' && time !== main)
  if (main === undefined) return { last: 0 }
  const start = startOf(main, mood, doors)
  const certainty = start.certainty * main.certainty * (main.role === 'doors' ? 0.7 : 1)
  const ending = main.until ?? endTime?.clock
  const end =
    ending === undefined
      ? undefined
      : endHourOf(start.time, ending, main.part === undefined ? mood : { ...mood, part: main.part })
  const zone = zoneAfter(reading, main.end, reading.nowMs)
  const used = [
    main,
    ...(doors === undefined ? [] : [doors]),
    ...(endTime === undefined ? [] : [endTime]),
  ]
  return {
    main,
    start: { time: start.time, certainty },
    ...(end === undefined ? {} : { end }),
    ...(doors === undefined ? {} : { doors: hourOf(doors.clock, mood) }),
    ...(zone === undefined ? {} : { zone }),
    last: Math.max(...used.map((time) => time.end), zone?.end ?? 0),
  }
}

// "Concert on 17 Dec. at 6 pm. The bake sale starts at 5:15": what starts before is something else
function isBefore({ clock }: TimeSpan, nearest: TimeSpan | undefined, mood: Mood): boolean {
  return nearest !== undefined && hourOf(clock, mood).time < hourOf(nearest.clock, mood).time
}

/** The start of "7-10 pm" is in the afternoon too, of "11-1 pm" in the morning. */
function startOf({ clock, until, part }: TimeSpan, mood: Mood, doors: TimeSpan | undefined): Hour {
  const own = part === undefined ? mood : { ...mood, part }
  if (clock.half === undefined && until?.half !== undefined && !clock.isPlain) {
    const [same, other] = [
      hourOf({ ...clock, half: until.half }, own),
      hourOf({ ...clock, half: until.half === 'pm' ? 'am' : 'pm' }, own),
    ]
    return same.time <= hourOf(until, own).time ? same : other
  }
  // "between 7.30 and 9.00 Uhr", "8.00-17.00": an end that is counted to 24 says how both are
  if (until?.isPlain === true && clock.half === undefined && isEarlier(clock, until))
    return { time: wall(clock.hour, clock.minute), certainty: 0.9 }
  // "doors 7 pm, show 8"
  if (clock.half === undefined && !clock.isPlain && doors?.clock.half !== undefined)
    return hourOf({ ...clock, half: doors.clock.half }, own)
  // "10 till 12.30" and "11-4" are by day, also of a party
  if (until !== undefined && clock.half === undefined && isByDay(clock, until))
    return { time: wall(clock.hour, clock.minute), certainty: 0.8 }
  return hourOf(clock, own)
}

function isByDay(clock: Clock, until: Clock): boolean {
  return (
    until.half === undefined &&
    ((clock.hour >= 8 && clock.hour < 12 && until.hour === 12) ||
      ((clock.hour === 10 || clock.hour === 11) && until.hour >= 2 && until.hour <= 5))
  )
}

function isEarlier(one: Clock, other: Clock): boolean {
  return one.hour * 60 + one.minute < other.hour * 60 + other.minute
}

function roundConfidence(value: number): number {
  return Math.round(value * 100) / 100
}
