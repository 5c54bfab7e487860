/** Whom a sentence is for: the caller of a tool. */
export type Reader = {
  readonly locale?: string | undefined
  readonly timeZone?: string | undefined
}

/** The languages that sentences of the pack are written in; others read English. */
export function languageOf({ locale }: Reader): 'en' | 'de' {
  return locale?.toLowerCase().startsWith('de') === true ? 'de' : 'en'
}

/**
 * A moment as people write it, in their own language and time zone. Where the clocks of the place
 * show another time, that is said, too.
 *
 * @example
 * formatWhen('2026-11-19T14:00:00+01:00', { locale: 'en', timeZone: 'Europe/Lisbon' })
 * // 'Thursday, 19 November 2026 at 13:00 (14:00 there)'
 */
export function formatWhen(moment: string, reader: Reader): string {
  const date = new Date(moment)
  const place = offsetOf(moment)
  const zone = zoneOf(reader.timeZone, place)
  const isGerman = languageOf(reader) === 'de'
  // British English: the day before the month, and 24 hours, as a shop writes its opening times.
  const locale = isGerman ? 'de' : 'en-GB'
  const full = { dateStyle: 'full', timeStyle: 'short' } as const
  const text = new Intl.DateTimeFormat(locale, { ...full, timeZone: zone }).format(date)
  const there = clockTime(date, place)
  if (clockTime(date, zone) === there) return text
  return isGerman ? `${text} (dort ${there})` : `${text} (${there} there)`
}

/** The time alone, for the end of something whose day was said. */
export function formatTime(moment: string, { timeZone }: Reader): string {
  return clockTime(new Date(moment), zoneOf(timeZone, offsetOf(moment)))
}

function clockTime(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(date)
}

function offsetOf(moment: string): string {
  return /[+-]\d\d:\d\d$/.exec(moment)?.[0] ?? 'UTC'
}

// A browser may name a zone that this machine does not know.
function zoneOf(name: string | undefined, other: string): string {
  if (name === undefined) return other
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return other
  }
}
