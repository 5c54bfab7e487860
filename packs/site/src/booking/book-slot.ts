import { defineTool, type Gate, IdempotencyKey, sensitive, ToolError } from '@surehand/core'
import { Money, SlotId } from '@surehand/documents'
import { z } from 'zod'
import { type SiteContracts, siteContracts } from '../contract/site-contract.ts'
import { formatMoney } from '../format-money.ts'
import { formatTime, formatWhen, languageOf } from '../format-when.ts'
import { shopperOf, siteIsOpen } from '../visitor-contract.ts'
import { bookingWrite } from './booking-contract.ts'
import { type BookingCalendar, bookingCalendar } from './booking-port.ts'

type SlotFacts = {
  readonly title: string
  /** As people write it, in the language and time zone of the visitor. */
  readonly start: string
  readonly end: string
  readonly price: string
  readonly cancellation: string
  readonly amount: number
  readonly currency: string
  readonly language: 'en' | 'de'
}

type Ports = { readonly calendar: BookingCalendar; readonly sites: SiteContracts }

const NEVER = new AbortController().signal

/** As for orders: a booking must not exceed what one session may spend. */
const bookingWithinSpendLimit: Gate<{ readonly slotId: string }, Ports> = {
  name: 'spend_limit',
  async check({ input: { slotId }, caller, ports }) {
    const limit = (await ports.sites.read({ tenant: caller.tenant }, NEVER))?.contract.spendLimit
    if (limit === undefined) return undefined
    const shopper = shopperOf(caller)
    const [{ price }, spent] = await Promise.all([
      ports.calendar.quote({ shopper, slotId }, NEVER),
      ports.sites.spent({ ...shopper, except: slotId }, NEVER),
    ])
    if (price.amount === 0) return undefined
    if (price.currency === limit.currency && spent + price.amount <= limit.amount) return undefined
    return {
      message: `The site allows ${formatMoney(limit)} per visit, and this booking of ${formatMoney(price)} would exceed it. Nothing was booked; the visitor can book on the page.`,
      details: { source_code: 'spend_limit', limit, spent },
    }
  },
}

export const bookSlot = defineTool({
  id: 'booking.bookSlot',
  title: 'Book a slot',
  category: 'booking',
  description:
    'Books a slot for good. The visitor is always asked first and sees time, price and cancellation policy; if any of them changes before it is booked, they are asked again. A repeat with the same key returns the same confirmation.',
  input: z.object({
    slotId: SlotId,
    paymentToken: sensitive(z.string().min(1).max(256))
      .optional()
      .describe("A token of the site's own payment page. Never a card number."),
    notes: z.string().max(1_000).optional(),
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({
    bookingId: z.string(),
    slotId: SlotId,
    confirmation: z.string(),
    title: z.string(),
    start: z.string(),
    end: z.string(),
    price: Money,
  }),
  contract: {
    ...bookingWrite,
    reversible: false,
    idempotency: 'caller',
    latencyBudget: '1500ms',
    gates: [siteIsOpen, bookingWithinSpendLimit],
    approval: {
      kind: 'consent',
      expires: '15m',
      facts: async ({ input, ports, caller, signal }): Promise<SlotFacts> => {
        const { slotId } = input
        const quote = await ports.calendar.quote({ shopper: shopperOf(caller), slotId }, signal)
        return {
          title: quote.title,
          start: formatWhen(quote.start, caller),
          end: formatTime(quote.end, caller),
          price: formatMoney(quote.price),
          cancellation: quote.cancellation,
          amount: quote.price.amount,
          currency: quote.price.currency,
          language: languageOf(caller),
        }
      },
      asks: (_, { title, start, price, cancellation, language }: SlotFacts) =>
        language === 'de'
          ? `${title} am ${start} für ${price} buchen? ${cancellation}`
          : `Book ${title} on ${start} for ${price}? ${cancellation}`,
    },
  },
  ports: { calendar: bookingCalendar, sites: siteContracts },
  examples: [
    { name: 'a fitting', input: { slotId: 'slot_1', idempotencyKey: 'book-1' } },
    {
      name: 'with a note',
      input: { slotId: 'slot_2', notes: 'By the window, please.', idempotencyKey: 'book-2' },
    },
  ],
  execute: async ({ input, caller, ports, facts, idempotencyKey, report, signal }) => {
    report({ message: 'The slot is being booked.' })
    const { slotId, paymentToken, notes } = input
    const booking = await ports.calendar.book(
      {
        shopper: shopperOf(caller),
        slotId,
        paymentToken,
        notes,
        expectedPrice: approvedPrice(facts),
        idempotencyKey,
      },
      signal,
    )
    return {
      bookingId: booking.bookingId,
      slotId: booking.slotId,
      confirmation: booking.confirmation,
      title: booking.title,
      start: booking.start,
      end: booking.end,
      price: { ...booking.price },
    }
  },
})

function approvedPrice(facts: unknown): Money {
  const { amount, currency } = (facts ?? {}) as Partial<SlotFacts>
  if (amount !== undefined && currency !== undefined) return { amount, currency }
  throw new ToolError(
    'TOOL_APPROVAL_DENIED',
    'The approval of this booking states no price. Nothing was booked.',
    { effect: 'none' },
  )
}
