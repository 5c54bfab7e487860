import { addDays, daysBetween } from '@surehand/dates'
import type { CanonicalEvent } from '../extract/canonical-event.ts'
import type { EventDraft } from '../extract/draft.ts'
import type { ConflictCheck } from './find-conflicts.ts'
import { isDate } from './time-span.ts'

/** The text that a person reads before they approve: what will be written, and its conflicts. */
export function reviewQuestion(
  event: CanonicalEvent,
  check: ConflictCheck,
  notes: readonly string[],
): string {
  const place = event.location === undefined ? '' : `, ${event.location.name}`
  const recurrence =
    event.recurrence === undefined || event.recurrence.length === 0
      ? ''
      : `, repeating (${event.recurrence.join('; ')})`
  const firstOnly =
    recurrence === '' || check.kind === 'unknown'
      ? []
      : ['Conflicts were checked for its first occurrence only.']
  return [
    `Add "${event.title}" to the calendar?`,
    `${formatTimes(event)}${place}${recurrence}.`,
    describeConflicts(check),
    ...firstOnly,
    ...notes,
  ].join('\n')
}

function formatTimes({ startTime, endTime, timezone }: CanonicalEvent): string {
  const [start, end] = [startTime, endTime].map((text) =>
    text === undefined ? undefined : isDate(text) ? text : text.slice(0, 16).replace('T', ' '),
  )
  if (isDate(startTime)) return formatDays(startTime, endTime)
  return end === undefined ? `${start} (${timezone})` : `${start} to ${end} (${timezone})`
}

// The end of a whole day is the day after the last, which nobody says.
function formatDays(startTime: string, endTime: string | undefined): string {
  const days = endTime === undefined ? 1 : daysBetween(startTime, endTime)
  return days <= 1
    ? `${startTime} (whole day)`
    : `${startTime} to ${addDays(startTime, days - 1)} (${days} whole days)`
}

// A failed check must not read like "no conflicts".
function describeConflicts(check: ConflictCheck): string {
  if (check.kind === 'unknown') return 'The calendar could not be read, so conflicts are unknown.'
  if (check.conflicts.length === 0) return 'Nothing else is in the calendar at that time.'
  const others = check.conflicts
    .slice(0, 5)
    .map(({ title, startTime }) => `"${title}" (${startTime.slice(0, 16).replace('T', ' ')})`)
  const more = check.conflicts.length > 5 ? ` and ${check.conflicts.length - 5} more` : ''
  return `At that time there is already: ${others.join(', ')}${more}.`
}

/** What is uncertain about the event, in sentences. */
export function describeUncertainty({
  event,
  confidence,
  notes = [],
  price,
}: EventDraft): readonly string[] {
  const low = (['title', 'date', 'time', 'place'] as const).filter(
    (field) =>
      confidence[field] > 0 &&
      confidence[field] < 0.6 &&
      !(field === 'place' && event.location === undefined),
  )
  return [
    ...notes,
    ...(low.length === 0
      ? []
      : [
          `Unsure: ${low.map((field) => `${field} ${Math.round(confidence[field] * 100)} %`).join(', ')}.`,
        ]),
    ...(price === undefined ? [] : [`Price: ${price.text}.`]),
  ]
}
