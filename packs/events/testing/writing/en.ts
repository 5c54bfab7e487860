import { type CalendarDay, dateParts } from '../calendar-day.ts'
import type { Price } from '../generated-case.ts'
import { calendarName, weekdayName } from './intl-names.ts'
import type { DayForm, Noise, Writing } from './writing.ts'

const SIGNS: Readonly<Record<string, string>> = { USD: '$', GBP: '£' }

export function writeEnglish(region: string): Writing {
  const isAmerican = region === 'US'
  const locale = isAmerican ? 'en-US' : 'en-GB'
  const weekday = (day: CalendarDay, form: 'long' | 'short'): string =>
    calendarName(day, 'en-US', { weekday: form })
  const month = (day: CalendarDay): string => calendarName(day, 'en-US', { month: 'long' })
  const dated = (day: CalendarDay, name: string): string =>
    isAmerican ? `${name} ${dateParts(day).date}` : `${dateParts(day).date} ${name}`
  const day = (value: CalendarDay, form: DayForm): string => {
    const { year, date } = dateParts(value)
    const full = `${dated(value, month(value))}${isAmerican ? ',' : ''} ${year}`
    switch (form) {
      case 'long':
        return `${weekday(value, 'long')}, ${full}`
      case 'open':
        return isAmerican
          ? `${weekday(value, 'long')}, ${month(value)} ${ordinal(date)}`
          : `${weekday(value, 'long')} ${ordinal(date)} ${month(value)}`
      case 'short':
        return `${weekday(value, 'short')} ${dated(value, calendarName(value, 'en-US', { month: 'short' }))}`
      case 'plain':
        return full
      case 'figures':
        return `${weekday(value, 'short')} ${calendarName(value, locale, { day: '2-digit', month: '2-digit', year: 'numeric' })}`
    }
  }
  const time = (value: string, habit: number): string => {
    if (!isAmerican && habit === 2) return value
    const { hour, minute, half } = clockOf(value)
    const dot = isAmerican || habit === 0 ? ':' : '.'
    const figures =
      minute === 0 && habit !== 0 ? `${hour}` : `${hour}${dot}${String(minute).padStart(2, '0')}`
    return habit === 1 ? `${figures}${half}` : `${figures} ${half.toUpperCase()}`
  }
  return {
    weekday,
    month,
    day,
    days: (from, to) => days(from, to, { isAmerican, month }),
    time,
    times: (from, to, habit) => `${time(from, habit)} – ${time(to, habit)}`,
    doors: (doors, start) => `Doors ${time(doors, 1)}, show ${time(start, 1)}`,
    weekly: (value) => `Every ${weekdayName(value, 'en')}`,
    monthly: (value) => `First ${weekdayName(value, 'en')} of every month`,
    price,
    presents: (who) => `${who} presents`,
    labels: { when: 'When', where: 'Where', admission: 'Admission', time: 'Time' },
    noise: (noise) => noiseLines(noise, { day, time }),
  }
}

function days(
  from: CalendarDay,
  to: CalendarDay,
  how: { isAmerican: boolean; month: (day: CalendarDay) => string },
): string {
  const [first, last] = [dateParts(from), dateParts(to)]
  const { isAmerican, month } = how
  if (first.month !== last.month)
    return isAmerican
      ? `${month(from)} ${first.date} – ${month(to)} ${last.date}, ${last.year}`
      : `${first.date} ${month(from)} – ${last.date} ${month(to)} ${last.year}`
  return isAmerican
    ? `${month(from)} ${first.date}–${last.date}, ${last.year}`
    : `${first.date}–${last.date} ${month(from)} ${last.year}`
}

function price({ amount, currency }: Price, habit: number): string {
  if (amount === 0) return habit === 1 ? 'Admission free' : 'Free entry'
  const written = `${SIGNS[currency] ?? ''}${Number.isInteger(amount) ? amount : amount.toFixed(2)}`
  return habit === 1 ? `Tickets ${written}` : habit === 2 ? `${written} on the door` : written
}

function noiseLines(
  { saleFrom, next, phone, site, opens, closes, founded, city }: Noise,
  { day, time }: Pick<Writing, 'day' | 'time'>,
): readonly string[] {
  return [
    `Tickets on sale from ${day(saleFrom, 'plain')}`,
    `Box office Mon–Fri ${time(opens, 1)} to ${time(closes, 1)}`,
    `Call ${phone}`,
    site,
    `Supported by the City of ${city} and Hargreave & Sons`,
    `Next: Winter Warmer, ${day(next, 'short')}`,
    `Serving the neighbourhood since ${founded}`,
    'Free parking behind the building. No dogs please.',
  ]
}

function clockOf(time: string): { hour: number; minute: number; half: string } {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return { hour: hour % 12 || 12, minute, half: hour < 12 ? 'am' : 'pm' }
}

function ordinal(date: number): string {
  const ending =
    date % 100 >= 11 && date % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][date % 10] ?? 'th')
  return `${date}${ending}`
}
