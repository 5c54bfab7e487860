import { Temporal } from 'temporal-polyfill'
import type { CalendarTime } from './calendar-item.ts'

/** What stands between a property's name and its colon. */
export function timeParameters(time: CalendarTime): string {
  if (time.kind === 'date') return ';VALUE=DATE'
  return time.kind === 'zoned' && !isUtc(time.timeZone) ? `;TZID=${time.timeZone}` : ''
}

export function timeValue(time: CalendarTime): string {
  if (time.kind === 'date') return compact(time.date)
  return `${compact(time.local)}${time.kind === 'zoned' && isUtc(time.timeZone) ? 'Z' : ''}`
}

/** An instant of RFC 3339, in UTC. */
export function instantValue(instant: string): string {
  return `${compact(Temporal.Instant.from(instant).toString({ smallestUnit: 'second' }).slice(0, 19))}Z`
}

export const isUtc = (timeZone: string): boolean => timeZone === 'UTC' || timeZone === 'Etc/UTC'

const compact = (text: string): string => text.replace(/[-:]/g, '')
