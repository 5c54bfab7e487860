import { addDays, dayOf, instantText, startOfDay, timeOf } from '@surehand/dates'
import { z } from 'zod'
import type { Intent, Wish } from './intent.ts'
import { askVisitor } from './shopping-steps.ts'
import { explainFailure, type StepResult, type Talk } from './talk.ts'

const Slots = z.object({
  slots: z.array(
    z.object({ slotId: z.string(), title: z.string(), start: z.string(), end: z.string() }),
  ),
})
type Slot = z.output<typeof Slots>['slots'][number]

const HOURS = {
  morning: [0, 12],
  afternoon: [12, 17],
  evening: [17, 24],
} as const satisfies Record<NonNullable<Wish['part']>, readonly [number, number]>

/** Finds the first free slot that fits, and asks the visitor to confirm it. */
export async function bookAppointment(
  talk: Talk,
  { what, wish }: Extract<Intent, { do: 'book' }>,
): Promise<StepResult> {
  const { phrases, visitor } = talk
  if (wish.day === undefined)
    return { text: phrases.whichDay(what), state: { booking: { what } }, stop: true }
  await talk.delta(phrases.lookingForSlots)
  const zone = visitor.person.timeZone ?? 'UTC'
  const from = instantText(startOfDay(wish.day, zone), zone)
  const to = instantText(startOfDay(addDays(wish.endDay ?? wish.day, 1), zone), zone)
  const answer = await talk.call('booking.searchSlots', { interval: `${from}/${to}` })
  if (answer.status !== 'success') return explainFailure(talk, answer)
  const slot = chooseSlot(Slots.parse(answer.data).slots, what, wish, zone)
  if (slot === undefined)
    return { text: phrases.noSlot(what), state: { booking: { what } }, stop: true }
  const asked = await talk.call('booking.bookSlot', { slotId: slot.slotId })
  if (asked.metadata.pending === undefined) return explainFailure(talk, asked)
  return { ...(await askVisitor(talk, asked)), state: { booking: undefined } }
}

function chooseSlot(
  slots: readonly Slot[],
  what: string,
  wish: Wish,
  zone: string,
): Slot | undefined {
  const named = slots.filter(({ title }) => isNamed(title, what))
  // German words for the shop's English titles: with no match, any resource may be meant.
  const candidates = named.length > 0 || what === '' ? named : slots
  return candidates.find(({ start }) => fits(Date.parse(start), wish, zone))
}

function isNamed(title: string, what: string): boolean {
  const words = what.split(' ').filter((word) => word.length > 2)
  const plain = title.toLowerCase()
  return words.length === 0 || words.some((word) => plain.includes(word.replace(/s$/, '')))
}

function fits(start: number, { day, endDay, time, part }: Wish, zone: string): boolean {
  const on = dayOf(start, zone)
  if (day !== undefined && (on < day || on > (endDay ?? day))) return false
  const at = timeOf(start, zone)
  if (time !== undefined) return at >= time
  if (part === undefined) return true
  const hour = Number(at.slice(0, 2))
  const [from, to] = HOURS[part]
  return hour >= from && hour < to
}

/** Cancels the booking of this visit; the visitor is asked first and hears the policy. */
export async function cancelAppointment(talk: Talk): Promise<StepResult> {
  const { bookingId } = talk.state
  if (bookingId === undefined) return { text: talk.phrases.noBooking, stop: true }
  const asked = await talk.call('booking.cancelBooking', { bookingId })
  return asked.metadata.pending === undefined
    ? explainFailure(talk, asked)
    : askVisitor(talk, asked)
}
