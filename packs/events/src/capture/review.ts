import { isToolError, type Run, ToolError } from '@surehand/core'
import { REVIEW_KEYWORD, type ReviewForm } from '@surehand/core/host'
import { hashJson } from '@surehand/core/internal'
import { instantText } from '@surehand/dates'
import { z } from 'zod'
import { newEntry } from '../calendar/new-entry.ts'
import { CanonicalEvent } from '../extract/canonical-event.ts'
import { type ConflictCheck, findConflicts } from './find-conflicts.ts'
import { reviewQuestion } from './review-question.ts'
import { isDate, parseInstant } from './time-span.ts'
import { toCalendarEntry } from './to-calendar-entry.ts'

export type DraftWithNotes = { readonly event: CanonicalEvent; readonly notes: readonly string[] }

export type ReviewResult = {
  readonly decision: 'save' | 'discard'
  readonly event: CanonicalEvent
  readonly check: ConflictCheck
}

export type ReviewOptions = {
  readonly calendarId: string
  /** Finds place, time zone and travel time of an event whose place was edited. */
  readonly place: (event: CanonicalEvent, prefix: string) => Promise<DraftWithNotes>
}

// What people decide by; everything else is still sent, and shown on demand.
const SUMMARY: ReviewForm = {
  choice: 'decision',
  fields: {
    'event.title': 'Title',
    'event.startTime': 'Begins',
    'event.endTime': 'Ends',
    'event.location.name': 'Place',
    'event.location.address': 'Address',
    'event.timezone': 'Time zone',
    'event.recurrence': 'Repeats',
    'event.travelBufferMinutes': 'Minutes to travel',
    'event.description': 'Description',
  },
  picture: 'event.sourceMetadata.imageUrl',
  map: 'event.location.coordinates',
}

const Review = z
  .object({
    decision: z.enum(['save', 'discard']).default('save').describe('discard: nothing is written'),
    event: CanonicalEvent.refine(isInOrder, {
      error: 'must be after startTime',
      path: ['endTime'],
    }).superRefine(refuseUnwritable),
  })
  .meta({ [REVIEW_KEYWORD]: SUMMARY })

// After so many edits a calendar program is the better tool.
const MAX_ROUNDS = 10

/**
 * Shows the event until the person has seen everything that will be written: an edit may cause new
 * conflicts or another time zone.
 */
export async function review(
  run: Pick<Run<unknown>, 'step' | 'ask'>,
  drafted: DraftWithNotes,
  { calendarId, place }: ReviewOptions,
): Promise<ReviewResult> {
  let { event, notes } = drafted
  let check = await findConflicts(run, event, { id: 'conflicts', calendarId })
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const shown = withConflicts(event, check)
    const answer = await run.ask(Review, reviewQuestion(shown, check, notes), {
      id: `review-${round}`,
      from: 'person',
      timeout: '7d',
      shows: { decision: 'save', event: shown },
    })
    if (answer.decision === 'discard') return { decision: 'discard', event: shown, check }
    // Conflicts in the answer are ignored: only those that were found count.
    const given = withConflicts(answer.event, check)
    const edited = toEventZone(given)
    const next = isElsewhere(edited, shown)
      ? await place(withoutPlace(edited, shown), `edit-${round}-`)
      : { event: edited, notes: [] }
    const again = isMoved(next.event, shown)
      ? await findConflicts(run, next.event, { id: `conflicts-${round}`, calendarId })
      : check
    const settled = withConflicts(next.event, again)
    if (isSame(settled, edited) && isSame(again, check) && readsSame(given, edited))
      return { decision: 'save', event: edited, check }
    event = settled
    notes = next.notes
    check = again
  }
  throw new ToolError(
    'TOOL_GATE_CLOSED',
    `The event was edited ${MAX_ROUNDS} times without being saved. Write it with calendar.write.`,
  )
}

function isInOrder({ startTime, endTime, timezone }: CanonicalEvent): boolean {
  return (
    endTime === undefined || parseInstant(endTime, timezone) > parseInstant(startTime, timezone)
  )
}

// Checked while the person can still correct it: after the approval the calendar could only refuse.
function refuseUnwritable(event: CanonicalEvent, context: z.RefinementCtx): void {
  try {
    newEntry(toCalendarEntry(event))
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    context.addIssue({ code: 'custom', message: thrown.message })
  }
}

/** Rewrites times with another offset: 20:00+01:00 in New York becomes 14:00 local time. */
function toEventZone(event: CanonicalEvent): CanonicalEvent {
  const own = (text: string) =>
    isDate(text) ? text : instantText(parseInstant(text, event.timezone), event.timezone)
  return {
    ...event,
    startTime: own(event.startTime),
    ...(event.endTime === undefined ? {} : { endTime: own(event.endTime) }),
  }
}

function readsSame(one: CanonicalEvent, other: CanonicalEvent): boolean {
  const check: ConflictCheck = { kind: 'checked', conflicts: [] }
  return reviewQuestion(one, check, []) === reviewQuestion(other, check, [])
}

function isElsewhere(
  { location: one }: CanonicalEvent,
  { location: other }: CanonicalEvent,
): boolean {
  return one?.name !== other?.name || one?.address !== other?.address
}

function isMoved(one: CanonicalEvent, other: CanonicalEvent): boolean {
  return (
    one.startTime !== other.startTime ||
    one.endTime !== other.endTime ||
    one.timezone !== other.timezone
  )
}

// Facts about the old place do not hold for the new one.
function withoutPlace(edited: CanonicalEvent, shown: CanonicalEvent): CanonicalEvent {
  if (edited.location === undefined || edited.location.placeId !== shown.location?.placeId)
    return edited
  const { placeId: _, coordinates: __, ...location } = edited.location
  const isOldAddress =
    location.address !== undefined && location.address === shown.location?.address
  return { ...edited, location: isOldAddress ? { name: location.name } : location }
}

function withConflicts(event: CanonicalEvent, check: ConflictCheck): CanonicalEvent {
  const { conflicts: _, ...rest } = event
  return check.kind === 'checked' && check.conflicts.length > 0
    ? { ...rest, conflicts: [...check.conflicts] }
    : rest
}

function isSame(one: unknown, other: unknown): boolean {
  return hashJson(withoutUndefined(one)) === hashJson(withoutUndefined(other))
}

// Optional fields that are undefined count as missing.
function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}
