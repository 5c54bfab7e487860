import { z } from 'zod'
import {
  bookSlot,
  cancelBooking,
  holdSlot,
  readBooking,
  readHold,
  releaseHold,
} from '../booking/bookings.ts'
import { FEE_PERCENT, FREE_HOURS_BEFORE, POLICY_TEXT } from '../booking/policy.ts'
import { RESOURCES } from '../booking/resources.ts'
import { describeSlot, findSlot, planSlots } from '../booking/slots.ts'
import { Refusal } from '../refusal.ts'
import { money } from '../shop.ts'
import { json } from '../web/respond.ts'
import type { Route, Visit } from '../web/route.ts'
import { answerKeyed } from './keyed.ts'
import { Cursor, Limit, pageOf } from './paging.ts'
import { ContactBody, MoneyBody, readBody, readQuery, Session } from './read-body.ts'

const Moment = z.iso.datetime({ offset: true }).optional()
const SlotsQuery = z.object({
  resourceId: z.string().max(64).optional(),
  from: Moment,
  to: Moment,
  partySize: z.coerce.number().int().min(1).max(50).default(1),
  state: z.enum(['free', 'all']).default('free'),
  session: Session.optional(),
  limit: Limit,
  cursor: Cursor,
})
const QuoteQuery = z.object({ session: Session.optional() })
const SlotId = z.string().max(64)
const HoldBody = z.strictObject({
  slotId: SlotId,
  session: Session,
  customer: ContactBody.optional(),
})
const BookingBody = z.strictObject({
  slotId: SlotId,
  session: Session,
  expectedPrice: MoneyBody,
  customer: ContactBody.optional(),
  paymentToken: z.string().max(64).optional(),
  notes: z.string().max(1000).optional(),
})
const CancelBody = z.strictObject({
  reason: z.string().max(400).optional(),
  expectedFee: MoneyBody.optional(),
})

function getResources({ shop }: Visit): Response {
  const items = RESOURCES.map(({ id, name, description, durationMinutes, price, capacity }) => ({
    resourceId: id,
    name,
    description,
    durationMinutes,
    price: money(price),
    capacity,
    url: `${shop.origin}/appointments/${id}`,
  }))
  return json({ items })
}

function getSlots(visit: Visit): Response {
  const { resourceId, from, to, partySize, state, session, limit, cursor } = readQuery(
    visit,
    SlotsQuery,
  )
  const { shop } = visit
  const planned = planSlots(shop, {
    resourceId,
    fromMs: from === undefined ? 0 : Date.parse(from),
    toMs: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
    partySize,
  })
  const slots = planned
    .map((slot) => describeSlot(shop, slot, session))
    .filter((slot) => state === 'all' || slot.state === 'free' || slot.heldByYou)
  return json(pageOf(slots, { limit, cursor }))
}

function getSlotQuote(visit: Visit): Response {
  const { session } = readQuery(visit, QuoteQuery)
  const { shop, params } = visit
  const { heldByYou, state, ...slot } = describeSlot(shop, findSlot(params.slotId ?? ''), session)
  if (state === 'booked' || (state === 'held' && !heldByYou))
    throw new Refusal('slot_taken', 'Another visitor has this slot. Choose another one.')
  return json({ ...slot, state, cancellation: POLICY_TEXT })
}

async function postHold(visit: Visit): Promise<Response> {
  const body = await readBody(visit, HoldBody)
  return answerKeyed(visit, body, () => {
    const holdId = holdSlot(visit.shop, body)
    return { status: 201, body: readHold(visit.shop, holdId) }
  })
}

function deleteHold(visit: Visit): Response {
  const { shop, params } = visit
  return answerKeyed(visit, null, () => {
    releaseHold(shop, params.holdId ?? '')
    return { status: 200, body: readHold(shop, params.holdId ?? '') }
  })
}

async function postBooking(visit: Visit): Promise<Response> {
  const body = await readBody(visit, BookingBody)
  return answerKeyed(visit, body, () => {
    const bookingId = bookSlot(visit.shop, body)
    return { status: 201, body: readBooking(visit.shop, bookingId) }
  })
}

async function postCancellation(visit: Visit): Promise<Response> {
  const body = await readBody(visit, CancelBody)
  const bookingId = visit.params.bookingId ?? ''
  return answerKeyed(visit, body, () => {
    cancelBooking(visit.shop, { bookingId, expectedFee: body.expectedFee })
    return { status: 200, body: readBooking(visit.shop, bookingId) }
  })
}

export const BOOKING_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/resources', handle: getResources },
  { method: 'GET', path: '/api/slots', handle: getSlots },
  { method: 'GET', path: '/api/slots/{slotId}/quote', handle: getSlotQuote },
  { method: 'POST', path: '/api/holds', handle: postHold },
  {
    method: 'GET',
    path: '/api/holds/{holdId}',
    handle: ({ shop, params }) => json(readHold(shop, params.holdId ?? '')),
  },
  { method: 'DELETE', path: '/api/holds/{holdId}', handle: deleteHold },
  { method: 'POST', path: '/api/bookings', handle: postBooking },
  {
    method: 'GET',
    path: '/api/bookings/{bookingId}',
    handle: ({ shop, params }) => json(readBooking(shop, params.bookingId ?? '')),
  },
  { method: 'POST', path: '/api/bookings/{bookingId}/cancellation', handle: postCancellation },
  {
    method: 'GET',
    path: '/api/policies/cancellation',
    handle: () =>
      json({ text: POLICY_TEXT, freeHoursBefore: FREE_HOURS_BEFORE, feePercent: FEE_PERCENT }),
  },
]
