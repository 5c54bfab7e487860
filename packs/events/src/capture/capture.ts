import { defineTool, IdempotencyKey, isToolError, type Run } from '@surehand/core'
import { LatLng } from '@surehand/places'
import { MAX_IMAGE_INPUT_BYTES } from '@surehand/reading'
import { z } from 'zod'
import { CalendarId } from '../calendar/calendar-shape.ts'
import { calendarWrite } from '../calendar/calendar-write.ts'
import { CanonicalEvent } from '../extract/canonical-event.ts'
import type { EventDraft } from '../extract/draft.ts'
import {
  callerRegion,
  callerTimeZone,
  ExtractInput,
  eventsExtract,
  requireOneSource,
} from '../extract/extract.ts'
import { keepPicture } from './keep-picture.ts'
import { type Placing, placeEvent, travelMinutes } from './place-event.ts'
import { type DraftWithNotes, review } from './review.ts'
import { describeUncertainty } from './review-question.ts'
import { toCalendarEntry } from './to-calendar-entry.ts'

const Input = z.object({
  ...ExtractInput,
  calendarId: CalendarId.default('primary'),
  origin: LatLng.optional().describe(
    'Where the person starts from; the travel time is then estimated',
  ),
  mode: z.enum(['driving', 'transit', 'walking']).default('driving').describe('How they travel'),
  idempotencyKey: IdempotencyKey.optional(),
})
type Input = z.output<typeof Input>

const Output = z.object({
  status: z.enum(['saved', 'discarded']),
  event: CanonicalEvent,
  calendarEventId: z.string().optional(),
  htmlLink: z.string().optional(),
  conflictsChecked: z
    .boolean()
    .describe('False: the calendar could not be read, so there may be conflicts.'),
})

export const eventsCapture = defineTool({
  id: 'events.capture',
  title: 'Put an event into the calendar',
  category: 'integration',
  aliases: ['events_capture'],
  kind: 'composite',
  description:
    'Puts an event from a message, a link or a picture of a flyer into the calendar: reads the event, finds its place, time zone and travel time, checks for conflicts, shows everything to the person, who may edit it, and writes exactly what was shown last. Nothing is written before they approve. Use it whenever a person provides an event.',
  input: Input,
  output: Output,
  contract: {
    effect: 'writes.calendar',
    reversible: true,
    permissions: { roles: ['user'], capabilities: ['calendar.read', 'calendar.write'] },
    auth: 'session',
    idempotency: 'caller',
    timeout: '2m',
    maxInputBytes: MAX_IMAGE_INPUT_BYTES,
  },
  examples: [
    {
      name: 'a message',
      input: { text: 'Dinner with Anna at Casa Lucio on Friday 27 November 2026 at 8pm' },
    },
  ],
  check: ({ input }) => requireOneSource(input),
  execute: capture,
})

async function capture(run: Run<Input>): Promise<z.input<typeof Output>> {
  const { calendarId } = run.input
  const { zone, ...drafted } = await draft(run)
  const { decision, event, check } = await review(run, drafted, {
    calendarId,
    place: (edited, prefix) =>
      addPlace(run, edited, { prefix, readIn: zone === 'named' ? undefined : edited.timezone }),
  })
  const conflictsChecked = check.kind === 'checked'
  if (decision === 'discard') return { status: 'discarded', event, conflictsChecked }
  const { id, htmlLink } = await run.step('write', calendarWrite, {
    calendarId,
    event: toCalendarEntry(event),
  })
  return { status: 'saved', event, calendarEventId: id, htmlLink, conflictsChecked }
}

async function draft(run: Run<Input>): Promise<DraftWithNotes & Pick<EventDraft, 'zone'>> {
  const { text, url, imageBytes, timezone } = run.input
  const given = {
    ...(text === undefined ? {} : { text }),
    ...(url === undefined ? {} : { url }),
    ...(imageBytes === undefined ? {} : { imageBytes }),
  }
  run.report({ fraction: 0.1, message: 'Reading the event' })
  const read = await run.step('read', eventsExtract, {
    ...given,
    ...(timezone === undefined ? {} : { timezone }),
  })
  run.report({ fraction: 0.5, message: 'Finding its place' })
  const readIn = read.zone === 'named' ? undefined : callerTimeZone(run.input, run.caller)
  const pictured = await addPicture(run, read.event)
  const { event, notes } = await addPlace(run, pictured, { prefix: '', readIn })
  return { event, notes: [...describeUncertainty(read), ...notes], zone: read.zone }
}

/** The person who reviews the event sees the picture it was read from. */
async function addPicture(run: Run<Input>, event: CanonicalEvent): Promise<CanonicalEvent> {
  const { imageBytes } = run.input
  if (imageBytes === undefined) return event
  try {
    const { imageUrl } = await run.step('picture', keepPicture, { imageBytes })
    return { ...event, sourceMetadata: { ...event.sourceMetadata, imageUrl } }
  } catch (thrown) {
    // A picture that cannot be shown must not fail the capture: its text was read.
    if (!isToolError(thrown) || thrown.code === 'TOOL_CANCELLED') throw thrown
    return event
  }
}

/** Adds the place, its time zone and the travel time. */
async function addPlace(
  run: Run<Input>,
  event: CanonicalEvent,
  { prefix, readIn }: Omit<Placing, 'regionCode'>,
): Promise<DraftWithNotes> {
  const found = await placeEvent(run, event, {
    readIn,
    regionCode: callerRegion(run.caller),
    prefix,
  })
  const { origin, mode } = run.input
  const { travelBufferMinutes: _, ...bare } = found.event
  if (origin === undefined || found.at === undefined) return { event: bare, notes: found.notes }
  const minutes = await travelMinutes(run, bare, {
    origin,
    destination: found.at,
    mode,
    id: `${prefix}way`,
  })
  if (minutes === undefined)
    return { event: bare, notes: [...found.notes, 'The travel time is unknown.'] }
  return { event: { ...bare, travelBufferMinutes: minutes }, notes: found.notes }
}
