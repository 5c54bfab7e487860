import type { CalendarDay } from './calendar-day.ts'

const MINUTE_MS = 60_000

/** The instant of a local time in a zone. */
export function instantOf(day: CalendarDay, time: string, timeZone: string): number {
  const shown = Date.parse(`${day}T${time}:00Z`)
  const first = shown - offsetAt(shown, timeZone) * MINUTE_MS
  return shown - offsetAt(first, timeZone) * MINUTE_MS
}

/** The local time in a zone at an instant. */
export function localTimeAt(
  instant: number,
  timeZone: string,
): { readonly day: CalendarDay; readonly time: string } {
  const shown = new Date(instant + offsetAt(instant, timeZone) * MINUTE_MS).toISOString()
  return { day: shown.slice(0, 10), time: shown.slice(11, 16) }
}

/** The offset in RFC 3339 form: +01:00. */
export function offsetText(instant: number, timeZone: string): string {
  const minutes = offsetAt(instant, timeZone)
  const figures = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${figures(Math.abs(minutes) / 60)}:${figures(Math.abs(minutes) % 60)}`
}

// One for each zone: making it takes a millisecond.
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockIn(timeZone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  clocks.set(timeZone, clock)
  return clock
}

function offsetAt(instant: number, timeZone: string): number {
  const parts = clockIn(timeZone).formatToParts(instant)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
