const MAX_FORMATS = 500

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Formats an instant as date and time in a zone; undefined for an unknown zone. Creating one is
 * expensive, so they are cached.
 */
export function zoneFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const fresh = newFormat(timeZone)
  if (fresh === undefined) return undefined
  // zones come from callers, and one zone has many spellings: without an end this would grow for
  // ever
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(timeZone, fresh)
  return fresh
}

function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  } catch {
    return undefined
  }
}
