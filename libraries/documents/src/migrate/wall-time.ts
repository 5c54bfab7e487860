const OFFSET = /GMT(?:(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d))?)?$/

/** How far the clocks of a zone are ahead of UTC at an instant. */
function offsetMs(instantMs: number, timeZone: string): number {
  const shown = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).format(
    instantMs,
  )
  const { sign = '+', hours = '0', minutes = '0', seconds = '0' } = OFFSET.exec(shown)?.groups ?? {}
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ms : ms
}

/**
 * When the clocks of a zone show this date and time, which is given as if it were UTC. A time the
 * spring leaves out is taken as the hour after it; of the two that autumn has, the first.
 */
export function instantOf(wallMs: number, timeZone: string): number {
  const day = 86_400_000
  const before = wallMs - offsetMs(wallMs - day, timeZone)
  const after = wallMs - offsetMs(wallMs + day, timeZone)
  if (before + offsetMs(before, timeZone) === wallMs) return before
  return after + offsetMs(after, timeZone) === wallMs ? after : before
}
