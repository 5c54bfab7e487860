import type { QuietHours } from '../market-settings.ts'

const DAY_MINUTES = 24 * 60

/** When a message may be sent: now, or at the end of the quiet hours that are running. */
export function endOfQuietHours(now: number, { from, to }: QuietHours, timeZone: string): number {
  const minute = localMinute(now, timeZone)
  const start = minuteOf(from)
  const end = minuteOf(to)
  const isQuiet = start <= end ? minute >= start && minute < end : minute >= start || minute < end
  if (!isQuiet) return now
  const waitMinutes = (end - minute + DAY_MINUTES) % DAY_MINUTES
  return Math.floor(now / 60_000) * 60_000 + waitMinutes * 60_000
}

export function minuteOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** The minute of the day in a time zone. */
export function localMinute(now: number, timeZone: string): number {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now)
  return minuteOf(time)
}
