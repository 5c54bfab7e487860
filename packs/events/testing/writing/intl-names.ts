import type { CalendarDay } from '../calendar-day.ts'

/** A name of the calendar as the language's own data spell it. */
export function nameOf(
  day: CalendarDay,
  locale: string,
  options: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  )
}

/** The same for a weekday of no day in particular; 1 is Monday. */
export function weekdayName(weekday: number, locale: string): string {
  // 2024-01-01 was a Monday
  return nameOf(`2024-01-0${weekday}`, locale, { weekday: 'long' })
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
