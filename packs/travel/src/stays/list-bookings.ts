import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { contextOf } from '../travel-context.ts'
import { BookedStay, staysPort } from './stays-port.ts'

export const listBookings = defineTool({
  id: 'travel.listBookings',
  title: 'List bookings',
  category: 'travel',
  description:
    'Lists the stays that the person has booked, the latest arrival first, with what a cancellation would refund.',
  aliases: ['listBookings'],
  input: z.object({
    status: z.enum(['confirmed', 'pending', 'cancelled']).optional().describe('Only these.'),
    limit: z.int().min(1).max(100).default(20),
  }),
  output: z.object({ bookings: z.array(BookedStay).max(100) }),
  contract: {
    effect: 'read',
    permissions: { roles: ['user'], capabilities: [{ name: 'travel.book', scope: 'self' }] },
    timeout: '15s',
  },
  ports: { stays: staysPort },
  examples: [
    { name: 'all', input: {} },
    { name: 'those that hold', input: { status: 'confirmed', limit: 5 } },
  ],
  execute: async ({ input: { status, limit }, caller, ports, signal }) => {
    const bookings = await ports.stays.list(contextOf(caller), signal)
    return {
      bookings: bookings
        .filter((booking) => status === undefined || booking.status === status)
        .slice(0, limit),
    }
  },
})
