import type { CalendarDay } from '../calendar-day.ts'

/** The name of a month or weekday in a locale. */
export function calendarName(
  day: CalendarDay,
  locale: string,
  options: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  )
}

/** The name of a weekday; 1 is Monday. */
export function weekdayName(weekday: number, locale: string): string {
  // 2024-01-01 was a Monday.
  return calendarName(`2024-01-0${weekday}`, locale, { weekday: 'long' })
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
