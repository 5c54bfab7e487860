import type { PackGiven } from '@surehand/core/host'
import { z } from 'zod'
import { callInternal } from '../../call-internal.ts'
import type { MemoriesPort } from '../../memories/memories-port.ts'
import type { PlansPort } from '../../plans/plans-port.ts'
import type { TravelDataPort } from '../travel-data-port.ts'

const MAX_COUNTED = 10_000
const Erased = z.object({ shares: z.int() })

/** The data of a person in the stores of plans, memories and links. */
export function storedTravelData({
  query,
  call,
  memories,
  plans,
}: Pick<PackGiven, 'query' | 'call'> & {
  readonly memories: MemoriesPort
  readonly plans: PlansPort
}): TravelDataPort {
  return {
    async count(context, signal) {
      const { tenant, userId } = context
      const [stored, remembered, [shares]] = await Promise.all([
        plans.list(context, signal),
        memories.list({ ...context, limit: MAX_COUNTED }, signal),
        query('select count(*) as n from travel_shares where tenant = ? and owner = ?', [
          tenant,
          userId,
        ]),
      ])
      return { plans: stored.length, memories: remembered.length, shares: Number(shares?.n ?? 0) }
    },
    async deleteAll({ tenant, userId, idempotencyKey }, signal) {
      const context = { tenant, userId }
      // The links first: a plan must not be readable while it is being deleted.
      const erased = await callInternal(call, {
        tool: 'travel.eraseShares',
        context,
        input: {},
        idempotencyKey: `${idempotencyKey}:shares`,
        signal,
      })
      const forgotten = await memories.forgetAll(
        { ...context, idempotencyKey: `${idempotencyKey}:memories` },
        signal,
      )
      const stored = await plans.list(context, signal)
      for (const { planId } of stored)
        await plans.change(
          {
            ...context,
            planId,
            idempotencyKey: `${idempotencyKey}:${planId}`,
            operation: { kind: 'delete' },
          },
          signal,
        )
      return { plans: stored.length, memories: forgotten, ...Erased.parse(erased) }
    },
  }
}
