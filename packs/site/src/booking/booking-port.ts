import { definePort, sameKey } from '@surehand/core'
import type { Money } from '@surehand/documents'
import type { Shopper } from '../commerce/commerce-port.ts'

export type Slot = {
  readonly slotId: string
  readonly resourceId: string
  readonly title: string
  /** RFC 3339, with the offset of the place. */
  readonly start: string
  readonly end: string
  readonly price: Money
  /** For how many people there is room. */
  readonly capacity: number
  readonly state: 'free' | 'held' | 'booked'
}

/** The terms under which a booking can be cancelled, as the site states them. */
export type CancellationPolicy = {
  readonly text: string
  /** RFC 3339; undefined where it is never free. */
  readonly freeUntil?: string | undefined
  /** What a cancellation costs now. */
  readonly fee: Money
}

/** The facts of the approval of a booking. Nothing in it is new at every reading. */
export type BookingQuote = {
  readonly slotId: string
  readonly title: string
  readonly start: string
  readonly end: string
  readonly price: Money
  /** `free`, or held by this visitor; another's hold makes the quote fail with TOOL_GATE_CLOSED. */
  readonly state: 'free' | 'held'
  readonly cancellation: string
}

export type Hold = {
  readonly holdId: string
  readonly slotId: string
  readonly expiresAt: string
}

export type Booking = {
  readonly bookingId: string
  readonly slotId: string
  readonly state: 'booked' | 'cancelled'
  readonly title: string
  readonly start: string
  readonly end: string
  readonly price: Money
  readonly confirmation: string
}

type Customer = {
  readonly name: string
  readonly email?: string | undefined
  readonly phone?: string | undefined
}
type WithKey = { readonly shopper: Shopper; readonly idempotencyKey: string }

/** Bookable slots. Of two visitors who hold or book one slot, one wins; holds expire. */
export type BookingCalendar = {
  readonly searchSlots: (
    request: {
      readonly shopper: Shopper
      readonly resourceId?: string | undefined
      /** Both RFC 3339. */
      readonly from?: string | undefined
      readonly to?: string | undefined
      readonly partySize?: number | undefined
    },
    signal: AbortSignal,
  ) => Promise<readonly Slot[]>
  readonly quote: (
    request: { readonly shopper: Shopper; readonly slotId: string },
    signal: AbortSignal,
  ) => Promise<BookingQuote>
  readonly booking: (
    request: { readonly shopper: Shopper; readonly bookingId: string },
    signal: AbortSignal,
  ) => Promise<(Booking & { readonly policy: CancellationPolicy }) | null>
  readonly hold: (
    request: WithKey & { readonly slotId: string; readonly customer: Customer },
    signal: AbortSignal,
  ) => Promise<Hold>
  readonly book: (
    request: WithKey & {
      readonly slotId: string
      readonly paymentToken?: string | undefined
      readonly notes?: string | undefined
      readonly expectedPrice: Money
    },
    signal: AbortSignal,
  ) => Promise<Booking>
  readonly cancel: (
    request: WithKey & {
      readonly bookingId: string
      readonly reason?: string | undefined
      readonly expectedFee: Money
    },
    signal: AbortSignal,
  ) => Promise<Booking & { readonly fee: Money }>
}

const byKey = sameKey({ validFor: '1d' })

export const bookingCalendar = definePort<BookingCalendar>('bookingCalendar', {
  searchSlots: 'read',
  quote: 'read',
  booking: 'read',
  hold: byKey,
  book: byKey,
  cancel: byKey,
})
