import { defineTool, IdempotencyKey } from '@surehand/core'
import { Email, Phone, SlotId } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { shopperOf } from '../visitor-contract.ts'
import { bookingWrite } from './booking-contract.ts'
import { bookingCalendar } from './booking-port.ts'

export const holdSlot = defineTool({
  id: 'booking.holdSlot',
  title: 'Hold a slot',
  category: 'booking',
  description:
    'Holds a slot for 15 minutes, so that no one else can take it while the visitor decides. It expires by itself; booking.bookSlot makes it permanent.',
  input: z.object({
    slotId: SlotId,
    customer: z.object({
      name: z.string().trim().min(1).max(120),
      email: Email.optional(),
      phone: Phone.optional(),
    }),
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({ holdId: z.string(), slotId: SlotId, expiresAt: z.string() }),
  contract: { ...bookingWrite, reversible: true, idempotency: 'caller', latencyBudget: '300ms' },
  ports: { calendar: bookingCalendar, sites: siteContracts },
  examples: [
    {
      name: 'for Ada',
      input: {
        slotId: 'slot_1',
        customer: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+4930123456' },
        idempotencyKey: 'hold-1',
      },
    },
    {
      name: 'another slot',
      input: {
        slotId: 'slot_2',
        customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
        idempotencyKey: 'hold-2',
      },
    },
  ],
  execute: async ({ input: { slotId, customer }, caller, ports, idempotencyKey, signal }) => {
    const hold = await ports.calendar.hold(
      { shopper: shopperOf(caller), slotId, customer, idempotencyKey },
      signal,
    )
    return { holdId: hold.holdId, slotId: hold.slotId, expiresAt: hold.expiresAt }
  },
})
