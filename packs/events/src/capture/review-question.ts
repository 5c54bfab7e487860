import type { CanonicalEvent } from '../extract/canonical-event.ts'
import type { EventDraft } from '../extract/draft.ts'
import type { Looked } from './find-conflicts.ts'
import { isDate } from './moments.ts'

/**
 * The sentence a person reads before they approve: what will be written, and what conflicts with
 * it.
 */
export function reviewQuestion(
  event: CanonicalEvent,
  looked: Looked,
  notes: readonly string[],
): string {
  const place = event.location === undefined ? '' : `, ${event.location.name}`
  const again =
    event.recurrence === undefined || event.recurrence.length === 0
      ? ''
      : `, again and again (${event.recurrence.join('; ')})`
  const firstOnly =
    again === '' || looked.kind === 'unknown'
      ? []
      : ['Only its first time was looked at, not the later ones.']
  return [
    `Add "${event.title}" to the calendar? ${timesOf(event)}${place}${again}.`,
    conflictWords(looked),
    ...firstOnly,
    ...notes,
  ].join(' ')
}

function timesOf({ startTime, endTime, timezone }: CanonicalEvent): string {
  const [start, end] = [startTime, endTime].map((text) =>
    text === undefined ? undefined : isDate(text) ? text : text.slice(0, 16).replace('T', ' '),
  )
  const kind = isDate(startTime) ? 'whole day' : timezone
  return end === undefined || isDate(startTime)
    ? `${start} (${kind})`
    : `${start} to ${end} (${kind})`
}

// "could not look" and "nothing there" must never read the same
function conflictWords(looked: Looked): string {
  if (looked.kind === 'unknown')
    return 'The calendar could not be looked at: whether something else is at that time is not known.'
  if (looked.conflicts.length === 0) return 'Nothing else is in the calendar at that time.'
  const others = looked.conflicts
    .slice(0, 5)
    .map(({ title, startTime }) => `"${title}" (${startTime.slice(0, 16).replace('T', ' ')})`)
  const more = looked.conflicts.length > 5 ? ` and ${looked.conflicts.length - 5} more` : ''
  return `At that time there is already: ${others.join(', ')}${more}.`
}

/** The uncertain readings, in words. */
export function sureness({ event, confidence, notes = [], price }: EventDraft): readonly string[] {
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
