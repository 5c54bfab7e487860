import type { CanonicalEvent } from '../extract/canonical-event.ts'
import type { PreviewEvent } from './day-previews-port.ts'

const DATE_ALONE = /^\d{4}-\d{2}-\d{2}$/
const OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/i

/** What a preview shows of a day's events, in the order they begin. */
export function previewEvents(events: readonly CanonicalEvent[]): readonly PreviewEvent[] {
  return events
    .map((event) => ({ event, clock: clockOf(event) }))
    .sort((left, right) => (left.clock < right.clock ? -1 : left.clock > right.clock ? 1 : 0))
    .map(({ event, clock }) => ({
      title: event.title,
      time: clock === '' ? 'All day' : clock,
      ...(event.location === undefined ? {} : { place: event.location.name }),
    }))
}

// what a clock at the place shows; nothing for a whole day, which so comes first
function clockOf({ startTime, timezone }: CanonicalEvent): string {
  if (DATE_ALONE.test(startTime)) return ''
  if (!OFFSET.test(startTime)) return startTime.slice(11, 16)
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(startTime))
}
