import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { planNotFound } from './change-plan.ts'
import { PLAN_ID_LENGTH, planWrite } from './plan-contract.ts'
import { plansPort } from './plans-port.ts'

type PlanFacts = {
  readonly title: string
  readonly dates: string
  readonly destinations: readonly string[]
  readonly components: number
}

export const deleteTravelPlan = defineTool({
  id: 'travel.deleteTravelPlan',
  title: 'Delete a travel plan',
  category: 'travel',
  description:
    'Deletes a travel plan for good, after the person has approved it. Bookings are not cancelled by it.',
  aliases: ['deleteTravelPlan'],
  input: z.object({ planId: z.string().min(1).max(PLAN_ID_LENGTH) }),
  output: z.object({ planId: z.string(), deleted: z.literal(true), title: z.string() }),
  contract: {
    ...planWrite,
    reversible: false,
    approval: {
      facts: async ({ input: { planId }, ports, caller, signal }): Promise<PlanFacts> => {
        const plan = await ports.plans.get(
          { tenant: caller.tenant, userId: caller.principal, planId },
          signal,
        )
        if (plan === undefined) throw planNotFound(planId)
        const { flights, accommodations, activities, transportation } = plan.components
        return {
          title: plan.title,
          dates: `${plan.startDate} to ${plan.endDate}`,
          destinations: plan.destinations,
          components: [flights, accommodations, activities, transportation].flat().length,
        }
      },
      asks: (_input, { title, dates }: PlanFacts) =>
        `Delete the travel plan "${title}" (${dates})? It cannot be restored.`,
      expires: '300s',
    },
  },
  ports: { plans: plansPort },
  examples: [
    { name: 'a plan', input: { planId: 'plan_1' } },
    { name: 'another', input: { planId: 'plan_2' } },
  ],
  execute: async ({ input: { planId }, caller, ports, idempotencyKey, signal }) => {
    const { plan } = await ports.plans.change(
      {
        tenant: caller.tenant,
        userId: caller.principal,
        planId,
        idempotencyKey,
        operation: { kind: 'delete' },
      },
      signal,
    )
    return { planId, deleted: true as const, title: plan.title }
  },
})
