import { Money } from '@surehand/documents'
import { z } from 'zod'
import type { BookingCalendar } from '../booking/booking-port.ts'
import type { Shopper } from '../commerce/commerce-port.ts'
import { type ShopAccess, sendToShop, shopSession } from './send-to-shop.ts'
import { nullIfMissing } from './shop-commerce.ts'

const slot = {
  slotId: z.string(),
  resourceId: z.string(),
  title: z.string(),
  start: z.string(),
  end: z.string(),
  price: Money,
  capacity: z.int(),
}
const SlotsAnswer = z.object({
  items: z.array(z.object({ ...slot, state: z.enum(['free', 'held', 'booked']) })),
})
const QuoteAnswer = z.object({
  ...slot,
  state: z.enum(['free', 'held']),
  cancellation: z.string(),
})
const HoldAnswer = z.object({ holdId: z.string(), slotId: z.string(), expiresAt: z.string() })
const BookingAnswer = z.object({
  bookingId: z.string(),
  slotId: z.string(),
  state: z.enum(['booked', 'cancelled']),
  title: z.string(),
  start: z.string(),
  end: z.string(),
  price: Money,
  confirmation: z.string(),
  fee: Money.optional(),
  policy: z.object({ text: z.string(), freeUntil: z.string().optional(), fee: Money }),
})

const MOST_SLOTS = '100'

/** Appointments of the demo shop, over its REST API. */
export function shopBooking(accessFor: (tenant: string) => Promise<ShopAccess>): BookingCalendar {
  const send = async <S extends z.ZodType>(
    { tenant }: Shopper,
    request: Parameters<typeof sendToShop>[1],
    answer: S,
  ) => sendToShop(await accessFor(tenant), request, answer)

  return {
    async searchSlots({ shopper, resourceId, from, to, partySize }, signal) {
      const query = new URLSearchParams({
        limit: MOST_SLOTS,
        ...(resourceId === undefined ? {} : { resourceId }),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
        ...(partySize === undefined ? {} : { partySize: String(partySize) }),
      })
      const request = { method: 'GET', path: `/api/slots?${query}`, signal } as const
      return (await send(shopper, request, SlotsAnswer)).items
    },
    quote({ shopper, slotId }, signal) {
      const session = shopSession(shopper)
      const path = `/api/slots/${encodeURIComponent(slotId)}/quote?session=${session}`
      return send(shopper, { method: 'GET', path, signal }, QuoteAnswer)
    },
    booking({ shopper, bookingId }, signal) {
      const path = `/api/bookings/${encodeURIComponent(bookingId)}`
      return nullIfMissing(send(shopper, { method: 'GET', path, signal }, BookingAnswer))
    },
    hold({ shopper, slotId, customer, idempotencyKey }, signal) {
      const body = { slotId, session: shopSession(shopper), customer }
      const request = { method: 'POST', path: '/api/holds', body, idempotencyKey, signal } as const
      return send(shopper, request, HoldAnswer)
    },
    book({ shopper, slotId, paymentToken, notes, expectedPrice, idempotencyKey }, signal) {
      const body = { slotId, session: shopSession(shopper), paymentToken, notes, expectedPrice }
      const request = {
        method: 'POST',
        path: '/api/bookings',
        body,
        idempotencyKey,
        signal,
      } as const
      return send(shopper, request, BookingAnswer)
    },
    async cancel({ shopper, bookingId, reason, expectedFee, idempotencyKey }, signal) {
      const path = `/api/bookings/${encodeURIComponent(bookingId)}/cancellation`
      const body = { reason, expectedFee }
      const request = { method: 'POST', path, body, idempotencyKey, signal } as const
      const booking = await send(shopper, request, BookingAnswer)
      return { ...booking, fee: booking.fee ?? expectedFee }
    },
  }
}
