import type { Envelope } from '@surehand/core'
import type { PackServices } from '@surehand/core/host'
import { Money } from '@surehand/documents'
import { z } from 'zod'
import type { EVENT_KINDS } from '../owner/record-event.ts'

type Kind = (typeof EVENT_KINDS)[number]
type Services = Pick<PackServices, 'call' | 'systemCaller'>
type Session = { readonly tenant: string; readonly session: string }

const Ordered = z.object({ orderId: z.string(), totals: z.object({ total: Money }) })
const Booked = z.object({ bookingId: z.string(), price: Money })
const Cancelled = z.object({ bookingId: z.string(), state: z.literal('cancelled') })

/** Counts an order, booking or cancellation for the owner's report, once per call. */
export async function recordConversion(
  services: Services,
  session: Session,
  { status, command, data, metadata }: Envelope,
): Promise<void> {
  const event = status === 'success' ? readConversion(command, data) : undefined
  if (event === undefined) return
  const callId = metadata.original_call_id ?? metadata.call_id
  await recordSiteEvent(services, session, { ...event, key: `event ${callId}` })
}

type SiteEvent = {
  readonly kind: Kind
  readonly text: string
  readonly amount?: number
  readonly currency?: string
  /** The same event is recorded once under the same key. */
  readonly key: string
}

/** Records an event for the owner's report. A failure is not the visitor's: it is let pass. */
export async function recordSiteEvent(
  { call, systemCaller }: Services,
  { tenant, session }: Session,
  { key, ...event }: SiteEvent,
): Promise<void> {
  await call({
    tool: 'site.record_event',
    input: { sessionId: session, ...event },
    caller: systemCaller(tenant),
    surface: 'site',
    idempotencyKey: key,
  })
}

function readConversion(tool: string, data: unknown): Omit<SiteEvent, 'key'> | undefined {
  if (tool === 'commerce.placeOrder') {
    const order = Ordered.safeParse(data)
    if (order.success)
      return { kind: 'order', text: order.data.orderId, ...order.data.totals.total }
  }
  if (tool === 'booking.bookSlot') {
    const booking = Booked.safeParse(data)
    if (booking.success)
      return { kind: 'booking', text: booking.data.bookingId, ...booking.data.price }
  }
  if (tool === 'booking.cancelBooking') {
    const cancelled = Cancelled.safeParse(data)
    if (cancelled.success) return { kind: 'cancellation', text: cancelled.data.bookingId }
  }
  return undefined
}
