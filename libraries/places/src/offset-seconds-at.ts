import { offsetText } from '@surehand/dates'

/** The UTC offset of a time zone at an instant; positive east of Greenwich. */
export function offsetSecondsAt(atMs: number, timeZone: string): number {
  const [, sign, hours, minutes, seconds = '0'] =
    /^([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(offsetText(atMs, timeZone)) ?? []
  const ahead = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' && ahead !== 0 ? -ahead : ahead
}
