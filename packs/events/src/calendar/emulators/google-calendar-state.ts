import type { EffectLog, EmulatorReply } from '@surehand/testing'
import { z } from 'zod'

export const Time = z.object({
  date: z.string().optional(),
  dateTime: z.string().optional(),
  timeZone: z.string().optional(),
})
export const Insert = z.object({
  id: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  location: z.string().optional(),
  start: Time,
  end: Time,
  recurrence: z.array(z.string()).optional(),
  reminders: z.object({ useDefault: z.boolean() }).optional(),
})

/** An event resource as the API returns it. */
export type StoredEvent = z.output<typeof Insert> & {
  readonly kind: 'calendar#event'
  readonly id: string
  readonly status: 'confirmed' | 'cancelled'
  readonly htmlLink: string
  readonly created: string
}

/** An effect in the emulator's log. */
export type StoredEffect =
  | { readonly kind: 'insert'; readonly calendarId: string; readonly event: StoredEvent }
  | { readonly kind: 'delete'; readonly calendarId: string; readonly eventId: string }

/** All events of a calendar; a deleted one stays as cancelled and keeps its id. */
export function eventsOf(log: EffectLog, calendarId: string): readonly StoredEvent[] {
  const events = new Map<string, StoredEvent>()
  for (const { effect } of log.effects()) {
    // Its own log: no other process writes there.
    const stored = effect as StoredEffect
    if (stored.calendarId !== calendarId) continue
    const event = stored.kind === 'insert' ? stored.event : events.get(stored.eventId)
    if (event !== undefined)
      events.set(event.id, stored.kind === 'insert' ? event : { ...event, status: 'cancelled' })
  }
  return [...events.values()]
}

/** developers.google.com/workspace/calendar/api/guides/errors */
export function refusal(code: number, reason: string, message: string): EmulatorReply {
  return {
    status: code,
    body: { error: { code, message, errors: [{ domain: 'global', reason, message }] } },
  }
}
