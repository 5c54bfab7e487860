import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { staysPort } from '../stays/stays-port.ts'
import { contextOf } from '../travel-context.ts'
import { DataCounts, travelDataPort } from './travel-data-port.ts'

type DataFacts = DataCounts & { readonly bookings_kept: readonly string[] }

export const deleteAllData = defineTool({
  id: 'travel.deleteAllData',
  title: 'Delete all travel data',
  category: 'travel',
  description:
    'Deletes every plan, memory and shared link of the person for good, after they have approved it. Bookings are contracts with their providers and stay; cancel them first with travel.cancelBooking if they are not wanted.',
  aliases: ['deleteAllData'],
  input: z.object({}),
  output: z.object({
    deleted: DataCounts,
    keptBookings: z
      .array(z.string())
      .describe('The references of bookings that are not cancelled.'),
  }),
  contract: {
    effect: 'writes.plan',
    reversible: false,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: ['travel.plan', 'travel.memory', 'travel.book'].map((name) => ({
        name,
        scope: 'self',
      })),
    },
    timeout: '30s',
    approval: {
      facts: async ({ ports, caller, signal }): Promise<DataFacts> => {
        const context = contextOf(caller)
        const counts = await ports.data.count(context, signal)
        const bookings = await ports.stays.list(context, signal)
        return {
          ...counts,
          bookings_kept: bookings
            .filter(({ status }) => status !== 'cancelled')
            .map(({ reference }) => reference),
        }
      },
      asks: (_input, facts: DataFacts) =>
        `Delete all of your travel data (${describeCounts(facts)})? It cannot be restored.${describeKept(facts.bookings_kept.length)}`,
      expires: '300s',
    },
  },
  ports: { data: travelDataPort, stays: staysPort },
  examples: [{ name: 'everything', input: {} }],
  execute: async ({ caller, ports, facts, idempotencyKey, signal }) => {
    const { bookings_kept: kept } = facts as DataFacts
    const deleted = await ports.data.deleteAll({ ...contextOf(caller), idempotencyKey }, signal)
    return { deleted, keptBookings: [...kept] }
  },
})

export function describeCounts({ plans, memories, shares }: DataCounts): string {
  return [
    `${plans} ${plans === 1 ? 'plan' : 'plans'}`,
    `${memories} ${memories === 1 ? 'memory' : 'memories'}`,
    `${shares} ${shares === 1 ? 'shared link' : 'shared links'}`,
  ].join(', ')
}

function describeKept(count: number): string {
  if (count === 0) return ''
  return count === 1
    ? ' One booking stays with its provider.'
    : ` ${count} bookings stay with their providers.`
}
