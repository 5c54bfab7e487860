import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { contextOf } from '../travel-context.ts'
import { planRead } from './plan-read.ts'
import { plansPort } from './plans-port.ts'

const PlanLine = z.object({
  planId: z.string(),
  title: z.string(),
  destinations: z.array(z.string()),
  startDate: z.string(),
  endDate: z.string(),
  status: z.enum(['draft', 'finalized']),
  updatedAt: z.iso.datetime(),
})

export const listTravelPlans = defineTool({
  id: 'travel.listTravelPlans',
  title: 'List travel plans',
  category: 'travel',
  description: 'Lists the travel plans of the person, the one that was changed last first.',
  aliases: ['listTravelPlans'],
  input: z.object({
    status: z.enum(['draft', 'finalized']).optional().describe('Only these.'),
    limit: z.int().min(1).max(100).default(20),
  }),
  output: z.object({ plans: z.array(PlanLine).max(100), total: z.int() }),
  contract: planRead,
  ports: { plans: plansPort },
  examples: [
    { name: 'all', input: {} },
    { name: 'drafts', input: { status: 'draft', limit: 5 } },
  ],
  execute: async ({ input: { status, limit }, caller, ports, signal }) => {
    const all = await ports.plans.list(contextOf(caller), signal)
    const wanted = all.filter((plan) => status === undefined || plan.status === status)
    return {
      plans: wanted.slice(0, limit).map((plan) => PlanLine.parse(plan)),
      total: wanted.length,
    }
  },
})
