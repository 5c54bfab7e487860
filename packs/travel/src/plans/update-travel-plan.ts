import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { PlanComponents, PlanFields, TravelPlan } from './plan.ts'
import { PLAN_ID_LENGTH, planWrite } from './plan-contract.ts'
import { plansPort } from './plans-port.ts'

export const updateTravelPlan = defineTool({
  id: 'travel.updateTravelPlan',
  title: 'Update a travel plan',
  category: 'travel',
  description:
    'Changes the named fields of a travel plan and leaves the others. A list of components replaces the list that the plan has. Fields that a plan does not have are refused.',
  aliases: ['updateTravelPlan'],
  input: PlanFields.partial().extend({
    planId: z.string().min(1).max(PLAN_ID_LENGTH),
    components: PlanComponents.partial().optional(),
  }),
  output: TravelPlan,
  contract: {
    ...planWrite,
    unknownKeys: 'refuse',
    limits: [
      {
        calls: 60,
        per: '1m',
        by: ({ planId }) => planId,
        sourceCode: 'rate_limited_plan_update',
      },
    ],
  },
  ports: { plans: plansPort },
  examples: [
    { name: 'more travelers', input: { planId: 'plan_1', travelers: 3 } },
    {
      name: 'a note',
      input: { planId: 'plan_1', components: { notes: ['Ask for a quiet room.'] } },
    },
  ],
  execute: async ({ input: { planId, ...update }, caller, ports, idempotencyKey, signal }) => {
    const { plan } = await ports.plans.change(
      {
        tenant: caller.tenant,
        userId: caller.principal,
        planId,
        idempotencyKey,
        operation: { kind: 'update', update },
      },
      signal,
    )
    return plan
  },
})
