import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { Share, sharesPort } from '../shares/shares-port.ts'
import { contextOf } from '../travel-context.ts'
import { planNotFound } from './change-plan.ts'
import { TravelPlan } from './plan.ts'
import { PLAN_ID_LENGTH } from './plan-contract.ts'
import { planRead } from './plan-read.ts'
import { plansPort } from './plans-port.ts'

export const getTravelPlan = defineTool({
  id: 'travel.getTravelPlan',
  title: 'Read a travel plan',
  category: 'travel',
  description: 'Reads one travel plan of the person, with the links by which it is shared.',
  aliases: ['getTravelPlan'],
  input: z.object({ planId: z.string().min(1).max(PLAN_ID_LENGTH) }),
  output: z.object({ plan: TravelPlan, shares: z.array(Share) }),
  contract: planRead,
  ports: { plans: plansPort, shares: sharesPort },
  examples: [
    { name: 'a plan', input: { planId: 'plan_1' } },
    { name: 'another', input: { planId: 'plan_2' } },
  ],
  execute: async ({ input: { planId }, caller, ports, signal }) => {
    const name = { ...contextOf(caller), planId }
    const plan = await ports.plans.get(name, signal)
    if (plan === undefined) throw planNotFound(planId)
    return { plan, shares: [...(await ports.shares.list(name, signal))] }
  },
})
