import { dayOf, type When } from '@surehand/dates'
import {
  type EventTimes,
  eventTimes,
  type Moment,
  parseMoment,
  parseMomentIn,
} from './event-times.ts'
import type { PageFacts } from './page-facts.ts'
import type { PickedWhen } from './pick-when.ts'

export type FoundTimes = {
  readonly value: EventTimes
  readonly zone?: 'named'
  readonly date: number
  readonly time: number
  readonly recurrence?: readonly string[]
}

/** The start and end: those that a page states, or else those that were read. */
export function chooseTimes(
  picked: PickedWhen | undefined,
  page: PageFacts | undefined,
  options: { readonly now: number; readonly timeZone: string },
): FoundTimes {
  const structured =
    page?.structured?.start === undefined
      ? undefined
      : parseMoment(page.structured.start, options.timeZone)
  if (structured !== undefined) return pageTimes(structured, page?.structured?.end)
  const marked = page?.moments
    .map((text) => parseMoment(text, options.timeZone))
    .find((moment) => moment !== undefined)
  if (
    marked !== undefined &&
    (picked === undefined || picked.when.day === marked.day || picked.date < 0.6)
  ) {
    const time = marked.time ?? (picked?.when.day === marked.day ? picked.when.time : undefined)
    const same = picked?.when.day === marked.day ? picked.when : undefined
    const when = { ...marked, ...(time === undefined ? {} : { time }), ...withEnd(same) }
    const zone = marked.time === undefined ? same : marked
    return {
      value: eventTimes({ ...when, timeZone: (zone ?? marked).timeZone }),
      ...withZone(zone),
      date: 0.92,
      time: marked.time === undefined ? 0.7 : 0.92,
    }
  }
  if (picked === undefined)
    return {
      value: eventTimes({ day: dayOf(options.now, options.timeZone), timeZone: options.timeZone }),
      date: 0,
      time: 0,
    }
  const { recurrence } = picked.when
  return {
    value: eventTimes(picked.when),
    ...withZone(picked.when),
    date: picked.date,
    time: picked.time,
    ...(recurrence === undefined
      ? {}
      : { recurrence: recurrenceLines({ ...picked.when, recurrence }) }),
  }
}

type Series = Pick<When, 'exceptions' | 'time' | 'timeZone'> & {
  readonly recurrence: readonly string[]
}

/** The rules of a series, and the days on which it does not take place, as lines of iCalendar. */
export function recurrenceLines({
  recurrence,
  exceptions = [],
  time,
  timeZone,
}: Series): readonly string[] {
  if (exceptions.length === 0) return recurrence
  const days = exceptions.map((day) => day.replaceAll('-', ''))
  return [
    ...recurrence,
    time === undefined
      ? `EXDATE;VALUE=DATE:${days.join(',')}`
      : `EXDATE;TZID=${timeZone}:${days.map((day) => `${day}T${time.replace(':', '')}00`).join(',')}`,
  ]
}

function withZone(when: Pick<When, 'zone'> | undefined): Pick<FoundTimes, 'zone'> {
  return when?.zone === undefined ? {} : { zone: when.zone }
}

function withEnd(when: When | undefined): Pick<When, 'endDay' | 'endTime'> {
  return {
    ...(when?.endDay === undefined ? {} : { endDay: when.endDay }),
    ...(when?.endTime === undefined ? {} : { endTime: when.endTime }),
  }
}

function pageTimes(start: Moment, endText: string | undefined): FoundTimes {
  const end = endText === undefined ? undefined : parseMomentIn(start.timeZone, endText)
  const isAfter =
    end !== undefined && `${end.day}${end.time ?? ''}` > `${start.day}${start.time ?? ''}`
  const ending = isAfter
    ? { endDay: end.day, ...(end.time === undefined ? {} : { endTime: end.time }) }
    : {}
  return {
    value: eventTimes({ ...start, ...ending }),
    ...withZone(start),
    date: 0.97,
    time: start.time === undefined ? 0.8 : 0.96,
  }
}
