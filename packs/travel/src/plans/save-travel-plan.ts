import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { TravelPlan } from './plan.ts'
import { PLAN_ID_LENGTH, planWrite } from './plan-contract.ts'
import { plansPort } from './plans-port.ts'

export const saveTravelPlan = defineTool({
  id: 'travel.saveTravelPlan',
  title: 'Save a travel plan',
  category: 'travel',
  description:
    'Finalizes a travel plan, so that it is stored until 30 days after its end date. It can still be updated.',
  aliases: ['saveTravelPlan'],
  input: z.object({ planId: z.string().min(1).max(PLAN_ID_LENGTH) }),
  output: TravelPlan,
  contract: planWrite,
  ports: { plans: plansPort },
  examples: [
    { name: 'a draft', input: { planId: 'plan_1' } },
    { name: 'another', input: { planId: 'plan_2' } },
  ],
  execute: async ({ input: { planId }, caller, ports, idempotencyKey, signal }) => {
    const { plan } = await ports.plans.change(
      {
        tenant: caller.tenant,
        userId: caller.principal,
        planId,
        idempotencyKey,
        operation: { kind: 'finalize' },
      },
      signal,
    )
    return plan
  },
})
