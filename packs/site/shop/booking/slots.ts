import { addDays, atTime, type Day, dayOf, dayOfWeek, instantText } from '@surehand/dates'
import { notFound } from '../refusal.ts'
import { type Money, money, type Shop, TIME_ZONE } from '../shop.ts'
import { RESOURCES, type Resource } from './resources.ts'

export type Slot = {
  readonly slotId: string
  readonly resourceId: string
  readonly title: string
  readonly start: string
  readonly end: string
  readonly price: Money
  readonly capacity: number
  readonly state: 'free' | 'held' | 'booked'
  readonly heldByYou: boolean
}

/** A slot of the calendar, free or taken. Its id says what it is: slots are not stored. */
export type PlannedSlot = {
  readonly slotId: string
  readonly resource: Resource
  readonly startMs: number
  readonly endMs: number
}

export const HORIZON_DAYS = 60
/** The last instant that has a date. */
const MAX_TIME = 8.64e15
const SLOT_ID = /^slot_([a-z-]+)_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)$/

export type SlotFilter = {
  readonly resourceId?: string | undefined
  readonly fromMs: number
  readonly toMs: number
  readonly partySize: number
}

/** The calendar in time order, free or not. */
export function planSlots({ now }: Pick<Shop, 'now'>, filter: SlotFilter): readonly PlannedSlot[] {
  const first = Math.max(filter.fromMs, now())
  const today = dayOf(now(), TIME_ZONE)
  const lastDay = addDays(today, HORIZON_DAYS - 1)
  const days: Day[] = []
  // Days as texts are in the order of time.
  const end = Number.isFinite(filter.toMs) ? dayOf(filter.toMs, TIME_ZONE) : lastDay
  const begin = first > MAX_TIME ? lastDay : dayOf(first, TIME_ZONE)
  for (let day = begin; day <= lastDay && day <= end; day = addDays(day, 1)) days.push(day)
  return RESOURCES.filter(
    ({ id, capacity }) =>
      (filter.resourceId === undefined || id === filter.resourceId) && capacity >= filter.partySize,
  )
    .flatMap((resource) => days.flatMap((day) => slotsOfDay(resource, day)))
    .filter(({ startMs, endMs }) => startMs >= first && endMs <= filter.toMs)
    .sort((one, other) => one.startMs - other.startMs || (one.slotId < other.slotId ? -1 : 1))
}

function slotsOfDay(resource: Resource, day: Day): readonly PlannedSlot[] {
  return (resource.begins[dayOfWeek(day)] ?? []).map((time) => {
    const startMs = atTime(day, time, TIME_ZONE)
    return {
      slotId: `slot_${resource.id}_${day.replaceAll('-', '')}T${time.replace(':', '')}`,
      resource,
      startMs,
      endMs: startMs + resource.durationMinutes * 60_000,
    }
  })
}

/** The slot with this id; also one that is over. */
export function findSlot(slotId: string): PlannedSlot {
  const [, resourceId, year, month, date, hour, minute] = SLOT_ID.exec(slotId) ?? []
  const resource = RESOURCES.find(({ id }) => id === resourceId)
  const isDate = month !== undefined && Number(month) <= 12 && Number(date) <= 31
  const found =
    resource === undefined || !isDate
      ? undefined
      : slotsOfDay(resource, `${year}-${month}-${date}`).find((slot) => slot.slotId === slotId)
  if (found === undefined || hour === undefined || minute === undefined) throw notFound('This slot')
  return found
}

/** How slots are taken now: what the session holds itself is `held` with `heldByYou`. */
export function describeSlot(shop: Shop, slot: PlannedSlot, session: string | undefined): Slot {
  const { slotId, resource, startMs, endMs } = slot
  const booking = shop.store.one(
    "select 1 from bookings where slot_id = ? and state = 'booked'",
    slotId,
  )
  const hold = shop.store.one(
    "select session from holds where slot_id = ? and state = 'held' and expires_at > ?",
    slotId,
    shop.now(),
  )
  const heldState = hold === undefined ? 'free' : 'held'
  return {
    slotId,
    resourceId: resource.id,
    title: resource.name,
    start: instantText(startMs, TIME_ZONE),
    end: instantText(endMs, TIME_ZONE),
    price: money(resource.price),
    capacity: resource.capacity,
    state: booking === undefined ? heldState : 'booked',
    heldByYou: booking === undefined && hold !== undefined && hold.session === session,
  }
}

/** The next slot of a resource that can be booked. */
export function findNextSlot(shop: Shop, resourceId: string): PlannedSlot | undefined {
  const toMs = Number.POSITIVE_INFINITY
  return planSlots(shop, { resourceId, fromMs: 0, toMs, partySize: 1 }).find(
    (slot) => describeSlot(shop, slot, undefined).state === 'free',
  )
}
