import { isToolError, type Run } from '@surehand/core'
import { instantText } from '@surehand/dates'
import { calendarRead } from '../calendar/calendar-read.ts'
import type { CanonicalEvent } from '../extract/canonical-event.ts'
import { eventSpan, overlap } from './time-span.ts'

export type Conflicts = readonly {
  readonly eventId: string
  readonly title: string
  readonly startTime: string
}[]

/**
 * The other events at that time. `unknown` if the calendar could not be read, which is not the same
 * as no conflicts.
 */
export type ConflictCheck =
  | { readonly kind: 'checked'; readonly conflicts: Conflicts }
  | { readonly kind: 'unknown'; readonly reason: string }

const MARGIN_MS = 2 * 3_600_000
const MAX_CONFLICTS = 50

/** Finds the events that overlap this one. */
export async function findConflicts(
  run: Pick<Run<unknown>, 'step'>,
  event: CanonicalEvent,
  at: { readonly id: string; readonly calendarId: string },
): Promise<ConflictCheck> {
  const own = eventSpan(event)
  const margin = own.isAllDay ? 0 : MARGIN_MS
  const [timeMin, timeMax] = [own.fromMs - margin, own.toMs + margin].map((atMs) =>
    instantText(atMs, event.timezone),
  ) as [string, string]
  try {
    const { events } = await run.step(
      at.id,
      calendarRead,
      { calendarId: at.calendarId, timeMin, timeMax, singleEvents: true },
      { degraded: 'refuse' },
    )
    const conflicts = events.flatMap(({ id, summary, start, end, transparency }) => {
      if (transparency === 'transparent') return []
      const other = eventSpan({
        startTime: start.dateTime,
        endTime: end.dateTime,
        timezone: start.timeZone,
      })
      return overlap(own, other) ? [{ eventId: id, title: summary, startTime: start.dateTime }] : []
    })
    return { kind: 'checked', conflicts: conflicts.slice(0, MAX_CONFLICTS) }
  } catch (thrown) {
    if (!isToolError(thrown) || thrown.code === 'TOOL_CANCELLED') throw thrown
    return { kind: 'unknown', reason: thrown.message }
  }
}
