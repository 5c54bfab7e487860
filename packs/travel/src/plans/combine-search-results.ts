import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { planNotFound } from './change-plan.ts'
import { combineResults } from './combine.ts'
import { SearchItem, TravelPlan } from './plan.ts'
import { PLAN_ID_LENGTH, planWrite } from './plan-contract.ts'
import { plansPort } from './plans-port.ts'

const Results = z.array(SearchItem).max(200)

const CostEstimate = z.object({
  totals: z
    .array(z.object({ currency: z.string(), amount: z.number() }))
    .describe('One total for each currency. Amounts in different currencies are not added.'),
  nights: z.int(),
  withoutPrice: z.array(z.string()).describe('Chosen items whose price is not known.'),
})

export const combineSearchResults = defineTool({
  id: 'travel.combineSearchResults',
  title: 'Combine search results into a plan',
  category: 'travel',
  description:
    'Chooses the best of the given flights (three cheapest), stays (three by price and rating) and activities (five by rating), writes them into the plan, and estimates the cost of the cheapest flight, the best stay and three activities. Pass the items as the searches returned them.',
  aliases: ['combineSearchResults'],
  input: z.object({
    planId: z.string().min(1).max(PLAN_ID_LENGTH),
    flights: Results.optional(),
    accommodations: Results.optional(),
    activities: Results.optional(),
  }),
  output: z.object({
    planId: z.string(),
    flights: z.array(SearchItem),
    accommodations: z.array(SearchItem),
    activities: z.array(SearchItem),
    estimatedCost: CostEstimate,
    plan: TravelPlan,
  }),
  contract: {
    ...planWrite,
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
    {
      name: 'flights and stays',
      input: {
        planId: 'plan_1',
        flights: [{ id: 'off_1', total_amount: '180.00', total_currency: 'EUR' }],
        accommodations: [{ id: 'stay_1', price: 90, currency: 'EUR', rating: 4.5 }],
      },
    },
    {
      name: 'activities',
      input: { planId: 'plan_1', activities: [{ name: 'Tram', rating: 4.2 }] },
    },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => {
    const name = { tenant: caller.tenant, userId: caller.principal, planId: input.planId }
    const before = await ports.plans.get(name, signal)
    if (before === undefined) throw planNotFound(input.planId)
    const { components, cost } = combineResults(input, before)
    // Kinds of results that were not passed stay as they are in the plan.
    const given = Object.fromEntries(
      Object.entries(components).filter(
        ([kind]) => input[kind as keyof typeof input] !== undefined,
      ),
    )
    const { plan } = await ports.plans.change(
      {
        ...name,
        idempotencyKey,
        operation: { kind: 'update', update: { components: given } },
      },
      signal,
    )
    return {
      planId: plan.planId,
      ...components,
      estimatedCost: { ...cost, totals: [...cost.totals], withoutPrice: [...cost.withoutPrice] },
      plan,
    }
  },
})
