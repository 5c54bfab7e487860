import { isToolError, type Run, ToolError } from '@surehand/core'
import { hashJson } from '@surehand/core/internal'
import { instantText } from '@surehand/dates'
import { z } from 'zod'
import { newEntry } from '../calendar/new-entry.ts'
import { CanonicalEvent } from '../extract/canonical-event.ts'
import { entryOf } from './entry-of.ts'
import { findConflicts, type Looked } from './find-conflicts.ts'
import { instantOf, isDate } from './moments.ts'
import { reviewQuestion } from './review-question.ts'

export type Drafted = { readonly event: CanonicalEvent; readonly notes: readonly string[] }

export type Reviewed = {
  readonly decision: 'save' | 'discard'
  readonly event: CanonicalEvent
  readonly looked: Looked
}

export type Reviewing = {
  readonly calendarId: string
  /**
   * Finds place, time zone and way of an event that was moved elsewhere, in steps of this prefix.
   */
  readonly place: (event: CanonicalEvent, prefix: string) => Promise<Drafted>
}

const Review = z.object({
  decision: z.enum(['save', 'discard']).default('save').describe('discard: nothing is written'),
  event: CanonicalEvent.refine(isInOrder, {
    error: 'must be after startTime',
    path: ['endTime'],
  }).superRefine(refuseUnwritable),
})

// After so many edits a calendar program is the better tool.
const MOST_ROUNDS = 10

/**
 * Shows an event until nothing is left that the person did not see: what they edit may move it onto
 * something else.
 */
export async function review(
  run: Pick<Run<unknown>, 'step' | 'ask'>,
  drafted: Drafted,
  { calendarId, place }: Reviewing,
): Promise<Reviewed> {
  let { event, notes } = drafted
  let looked = await findConflicts(run, event, { id: 'conflicts', calendarId })
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const shown = withConflicts(event, looked)
    const answer = await run.ask(Review, reviewQuestion(shown, looked, notes), {
      id: `review-${round}`,
      from: 'person',
      timeout: '7d',
      shows: { decision: 'save', event: shown },
    })
    if (answer.decision === 'discard') return { decision: 'discard', event: shown, looked }
    // Conflicts are what we found, whatever an answer claims.
    const given = withConflicts(answer.event, looked)
    const edited = onOwnClock(given)
    const next = isElsewhere(edited, shown)
      ? await place(withoutPlace(edited, shown), `edit-${round}-`)
      : { event: edited, notes: [] }
    const again = isMoved(next.event, shown)
      ? await findConflicts(run, next.event, { id: `conflicts-${round}`, calendarId })
      : looked
    const settled = withConflicts(next.event, again)
    if (isSame(settled, edited) && isSame(again, looked) && readsSame(given, edited))
      return { decision: 'save', event: edited, looked }
    event = settled
    notes = next.notes
    looked = again
  }
  throw new ToolError(
    'TOOL_GATE_CLOSED',
    `It was edited ${MOST_ROUNDS} times and is still not as it should be: write it by hand.`,
  )
}

function isInOrder({ startTime, endTime, timezone }: CanonicalEvent): boolean {
  return endTime === undefined || instantOf(endTime, timezone) > instantOf(startTime, timezone)
}

// Asked again while the person is present: after the approval the calendar could only refuse.
function refuseUnwritable(event: CanonicalEvent, context: z.RefinementCtx): void {
  try {
    newEntry(entryOf(event))
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    context.addIssue({ code: 'custom', message: thrown.message })
  }
}

/** 20:00+01:00 in New York is written as 14:00 local time. */
function onOwnClock(event: CanonicalEvent): CanonicalEvent {
  const own = (text: string) =>
    isDate(text) ? text : instantText(instantOf(text, event.timezone), event.timezone)
  return {
    ...event,
    startTime: own(event.startTime),
    ...(event.endTime === undefined ? {} : { endTime: own(event.endTime) }),
  }
}

function readsSame(one: CanonicalEvent, other: CanonicalEvent): boolean {
  const looked: Looked = { kind: 'looked', conflicts: [] }
  return reviewQuestion(one, looked, []) === reviewQuestion(other, looked, [])
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

function withConflicts(event: CanonicalEvent, looked: Looked): CanonicalEvent {
  const { conflicts: _, ...rest } = event
  return looked.kind === 'looked' && looked.conflicts.length > 0
    ? { ...rest, conflicts: [...looked.conflicts] }
    : rest
}

function isSame(one: unknown, other: unknown): boolean {
  return hashJson(plain(one)) === hashJson(plain(other))
}

// Optional fields that are undefined count as missing.
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}
