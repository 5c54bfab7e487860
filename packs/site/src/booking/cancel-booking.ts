import { defineTool, IdempotencyKey, ToolError } from '@surehand/core'
import { Money } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { formatMoney } from '../format-money.ts'
import { formatWhen, languageOf } from '../format-when.ts'
import { shopperOf } from '../visitor-contract.ts'
import { bookingWrite } from './booking-contract.ts'
import { bookingCalendar } from './booking-port.ts'

type CancellationFacts = {
  readonly title: string
  readonly start: string
  readonly policy: string
  readonly fee: string
  readonly amount: number
  readonly currency: string
  readonly language: 'en' | 'de'
}

export const cancelBooking = defineTool({
  id: 'booking.cancelBooking',
  title: 'Cancel a booking',
  category: 'booking',
  description:
    'Cancels a booking. The visitor is always asked first and sees the cancellation policy and what it costs now. Explain the policy before calling it.',
  input: z.object({
    bookingId: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.:~=-]{0,127}$/, {
      error: 'Use the id of a booking exactly as booking.bookSlot gave it.',
    }),
    reason: z.string().max(400).optional(),
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({
    bookingId: z.string(),
    state: z.literal('cancelled'),
    fee: Money,
    policy: z.string(),
  }),
  contract: {
    ...bookingWrite,
    reversible: false,
    idempotency: 'caller',
    latencyBudget: '1500ms',
    approval: {
      kind: 'consent',
      expires: '15m',
      facts: async ({ input, ports, caller, signal }): Promise<CancellationFacts> => {
        const { bookingId } = input
        const found = await ports.calendar.booking(
          { shopper: shopperOf(caller), bookingId },
          signal,
        )
        if (found === null)
          throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no booking ${bookingId}.`)
        return {
          title: found.title,
          start: formatWhen(found.start, caller),
          policy: found.policy.text,
          fee: formatMoney(found.policy.fee),
          amount: found.policy.fee.amount,
          currency: found.policy.fee.currency,
          language: languageOf(caller),
        }
      },
      asks: (_, { title, start, policy, fee, language }: CancellationFacts) =>
        language === 'de'
          ? `${title} am ${start} stornieren? Das kostet jetzt ${fee}. ${policy}`
          : `Cancel ${title} on ${start}? It costs ${fee} now. ${policy}`,
    },
  },
  ports: { calendar: bookingCalendar, sites: siteContracts },
  examples: [
    { name: 'ill', input: { bookingId: 'bkg_1', reason: 'I am ill.', idempotencyKey: 'cancel-1' } },
    { name: 'without a reason', input: { bookingId: 'bkg_1', idempotencyKey: 'cancel-2' } },
  ],
  execute: async ({ input, caller, ports, facts, idempotencyKey, signal }) => {
    const { bookingId, reason } = input
    const { policy, amount, currency } = facts as CancellationFacts
    const cancelled = await ports.calendar.cancel(
      {
        shopper: shopperOf(caller),
        bookingId,
        reason,
        expectedFee: { amount, currency },
        idempotencyKey,
      },
      signal,
    )
    return {
      bookingId: cancelled.bookingId,
      state: 'cancelled' as const,
      fee: { ...cancelled.fee },
      policy,
    }
  },
})
