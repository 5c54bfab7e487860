import type { Facts, When } from './facts.ts'
import type { Answer } from './generated-case.ts'

const BYDAY = ['', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** The expected answer for a time that is written out. */
export function readWhen(
  when: When,
): Pick<Answer, 'day' | 'time' | 'endDay' | 'endTime' | 'isAllDay' | 'recurrence'> {
  switch (when.kind) {
    case 'once':
      return {
        day: when.day,
        time: when.time,
        ...(when.endTime && { endTime: when.endTime, endDay: when.day }),
        isAllDay: false,
      }
    case 'all-day':
      return { day: when.day, isAllDay: true }
    case 'days':
      return { day: when.day, endDay: when.endDay, isAllDay: true }
    case 'weekly':
      return {
        day: when.day,
        time: when.time,
        isAllDay: false,
        recurrence: `FREQ=WEEKLY;BYDAY=${BYDAY[when.weekday]}`,
      }
    case 'monthly':
      return {
        day: when.day,
        time: when.time,
        isAllDay: false,
        recurrence: `FREQ=MONTHLY;BYDAY=1${BYDAY[when.weekday]}`,
      }
  }
}

/** The expected answer if all facts are shown: title, time, place, address and price. */
export function fullAnswer({ occasion, when, venue, address, price, home }: Facts): Answer {
  return {
    title: occasion.title,
    ...(occasion.also && { otherTitles: occasion.also }),
    ...readWhen(when),
    place: { name: venue.name, address },
    ...(price && { price }),
    timeZone: home.timeZone,
  }
}
