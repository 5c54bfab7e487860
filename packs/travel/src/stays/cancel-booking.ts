import { defineTool, ToolError } from '@surehand/core'
import { z } from 'zod'
import { contextOf } from '../travel-context.ts'
import { formatAmount } from './booking-facts.ts'
import { bookingNotFound } from './stay-errors.ts'
import { type Amount, BookedStay, staysPort } from './stays-port.ts'

type CancellationFacts = {
  readonly stay: string
  readonly checkin: string
  readonly checkout: string
  readonly guests: number
  readonly paid: Amount
  readonly refund: Amount | undefined
  readonly terms: readonly string[]
}

export const cancelBooking = defineTool({
  id: 'travel.cancelBooking',
  title: 'Cancel a booking',
  category: 'travel',
  description:
    'Cancels a booked stay, after the person has seen what is refunded and has approved it. It cannot be undone.',
  aliases: ['cancelBooking'],
  input: z.object({
    reference: z
      .string()
      .regex(/^bk_[A-Za-z0-9_-]{1,60}$/, 'must be a reference, as in bk_0123')
      .describe('As travel.listBookings shows it.'),
  }),
  output: BookedStay,
  contract: {
    effect: 'writes.booking',
    reversible: false,
    idempotency: ({ reference }) => `cancel:${reference}`,
    permissions: { roles: ['user'], capabilities: [{ name: 'travel.book', scope: 'self' }] },
    timeout: '30s',
    onRefusal: 'release',
    approval: {
      facts: async ({
        input: { reference },
        ports,
        caller,
        signal,
      }): Promise<CancellationFacts> => {
        const booking = await ports.stays.get({ ...contextOf(caller), reference }, signal)
        if (booking === undefined) throw bookingNotFound(reference)
        if (booking.status === 'cancelled') throw alreadyCancelled(booking)
        const { name, checkin, checkout, guests, total, refund, cancellation } = booking
        const terms = cancellation.terms
        return { stay: name, checkin, checkout, guests, paid: total, refund, terms }
      },
      asks: (_input, { stay, checkin, checkout, paid, refund }: CancellationFacts) =>
        `Cancel ${stay} (${checkin} to ${checkout}, ${formatAmount(paid)})? ${refund === undefined ? 'The provider does not say what is refunded.' : `${formatAmount(refund)} is refunded.`}`,
      expires: '300s',
    },
  },
  ports: { stays: staysPort },
  examples: [
    { name: 'a booking', input: { reference: 'bk_example1' } },
    { name: 'another', input: { reference: 'bk_example2' } },
  ],
  execute: ({ input: { reference }, caller, ports, idempotencyKey, signal }) =>
    ports.stays.cancel({ ...contextOf(caller), reference, idempotencyKey }, signal),
})

function alreadyCancelled({ reference }: BookedStay): ToolError {
  return new ToolError('TOOL_GATE_CLOSED', `The booking ${reference} is cancelled already.`, {
    effect: 'none',
    details: { source_code: 'already_cancelled' },
  })
}
