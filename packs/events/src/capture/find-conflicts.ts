import { isToolError, type Run } from '@surehand/core'
import { instantText } from '@surehand/dates'
import { calendarRead } from '../calendar/calendar-read.ts'
import type { CanonicalEvent } from '../extract/canonical-event.ts'
import { meet, stretchOf } from './moments.ts'

export type Conflicts = readonly {
  readonly eventId: string
  readonly title: string
  readonly startTime: string
}[]

/**
 * What else is at that time; `unknown`: the calendar could not be looked at, which is not the same
 * as nothing.
 */
export type Looked =
  | { readonly kind: 'looked'; readonly conflicts: Conflicts }
  | { readonly kind: 'unknown'; readonly why: string }

const AROUND_MS = 2 * 3_600_000
const MOST = 50

/**
 * Looks into the calendar two hours around an event, or over its whole days, for what overlaps it.
 */
export async function findConflicts(
  run: Pick<Run<unknown>, 'step'>,
  event: CanonicalEvent,
  at: { readonly id: string; readonly calendarId: string },
): Promise<Looked> {
  const own = stretchOf(event)
  const margin = own.isAllDay ? 0 : AROUND_MS
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
    const conflicts = events.flatMap(({ id, summary, start, end }) => {
      const other = stretchOf({
        startTime: start.dateTime,
        endTime: end.dateTime,
        timezone: start.timeZone,
      })
      return meet(own, other) ? [{ eventId: id, title: summary, startTime: start.dateTime }] : []
    })
    return { kind: 'looked', conflicts: conflicts.slice(0, MOST) }
  } catch (thrown) {
    if (!isToolError(thrown) || thrown.code === 'TOOL_CANCELLED') throw thrown
    return { kind: 'unknown', why: thrown.message }
  }
}
