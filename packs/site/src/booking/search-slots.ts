import { defineTool } from '@surehand/core'
import { IsoInterval, Money, PartySize, ResourceId, SlotId } from '@surehand/documents'
import { z } from 'zod'
import { shopperOf } from '../visitor-contract.ts'
import { bookingCalendar } from './booking-port.ts'
import { readInterval } from './read-interval.ts'

export const searchSlots = defineTool({
  id: 'booking.searchSlots',
  title: 'Search slots',
  category: 'booking',
  description:
    'Lists free slots in time order: of one resource (a table, a room, a person) or of all, within an interval, for a number of people. Slots that others hold or have booked are not listed.',
  input: z.object({
    resourceId: ResourceId.optional(),
    interval: IsoInterval.optional(),
    partySize: PartySize.optional(),
  }),
  output: z.object({
    slots: z.array(
      z.object({
        slotId: SlotId,
        resourceId: ResourceId,
        title: z.string(),
        start: z.string(),
        end: z.string(),
        price: Money,
        capacity: z.int(),
      }),
    ),
  }),
  contract: { effect: 'none', auth: 'none', latencyBudget: '400ms', timeout: '5s', retries: 1 },
  ports: { calendar: bookingCalendar },
  examples: [
    { name: 'a fitting on Thursday', input: { resourceId: 'fitting', interval: '2026-11-19/P1D' } },
    { name: 'a table for four', input: { partySize: 4 } },
  ],
  execute: async ({ input: { resourceId, interval, partySize }, caller, ports, signal }) => {
    const bounds = interval === undefined ? {} : readInterval(interval, caller.timeZone ?? 'UTC')
    const slots = await ports.calendar.searchSlots(
      { shopper: shopperOf(caller), resourceId, partySize, ...bounds },
      signal,
    )
    return {
      slots: slots
        .filter(({ state }) => state === 'free')
        .map(({ state: _, price, ...slot }) => ({ ...slot, price: { ...price } })),
    }
  },
})
