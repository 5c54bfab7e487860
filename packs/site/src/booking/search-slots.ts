import { defineTool } from '@surehand/core'
import { IsoInterval, Money, PartySize, ResourceId, SlotId } from '@surehand/documents'
import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { shopperOf } from '../visitor-contract.ts'
import { bookingCalendar } from './booking-port.ts'

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

/**
 * Start and end of an ISO 8601 interval as RFC 3339. Dates without a time are days in the given
 * time zone; months and days of a duration are those of its calendar.
 *
 * @example
 * readInterval('2026-11-19/P1D', 'Europe/Berlin').from // '2026-11-19T00:00:00+01:00'
 */
function readInterval(
  interval: string,
  timeZone: string,
): { readonly from: string; readonly to: string } {
  const [first = '', second = ''] = interval.split('/')
  if (first.startsWith('P')) {
    const end = moment(second, timeZone)
    return { from: text(end.subtract(length(first))), to: text(end) }
  }
  const start = moment(first, timeZone)
  const end = second.startsWith('P') ? start.add(length(second)) : moment(second, timeZone)
  return { from: text(start), to: text(end) }
}

function moment(written: string, timeZone: string): Temporal.ZonedDateTime {
  if (!/[Tt]/.test(written)) return Temporal.PlainDate.from(written).toZonedDateTime(timeZone)
  // A leap second is the last moment of its minute.
  const plain = written.toUpperCase().replace(/:60/, ':59')
  return Temporal.Instant.from(plain).toZonedDateTimeISO(timeZone)
}

// Temporal knows fractions of hours and smaller units only; larger ones are rounded down to days.
function length(written: string): Temporal.Duration {
  const plain = written.replace(',', '.')
  const weeks = /^P(\d+)\.(\d+)W$/.exec(plain)
  if (weeks !== null)
    return Temporal.Duration.from({ days: Math.floor(Number(`${weeks[1]}.${weeks[2]}`) * 7) })
  return Temporal.Duration.from(plain.replace(/(\d+)\.\d+([YMD])$/, '$1$2'))
}

function text(at: Temporal.ZonedDateTime): string {
  return at.toString({ timeZoneName: 'never', smallestUnit: 'second' })
}
