import { defineTool } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import { PlanFields, TravelPlan } from './plan.ts'
import { planWrite } from './plan-contract.ts'
import { plansPort } from './plans-port.ts'

export const createTravelPlan = defineTool({
  id: 'travel.createTravelPlan',
  title: 'Create a travel plan',
  category: 'travel',
  description:
    'Creates a draft of a travel plan with its dates, destinations, travelers and budget. Add flights, stays and activities with travel.combineSearchResults or travel.updateTravelPlan, and keep it with travel.saveTravelPlan. A draft is deleted seven days after its last change.',
  aliases: ['createTravelPlan'],
  input: PlanFields.extend({
    travelers: PlanFields.shape.travelers.default(1),
    budget: PlanFields.shape.budget.default(null),
    preferences: PlanFields.shape.preferences.default({}),
  }),
  output: TravelPlan,
  contract: {
    ...planWrite,
    limits: [{ calls: 20, per: '1d', sourceCode: 'rate_limited_plan_create' }],
  },
  ports: { plans: plansPort },
  examples: [
    {
      name: 'a week in Lisbon',
      input: {
        title: 'Lisbon in May',
        destinations: ['Lisbon'],
        startDate: '2027-05-10',
        endDate: '2027-05-17',
        travelers: 2,
        budget: { amount: 2400, currency: 'EUR' },
        preferences: { pace: 'slow' },
      },
    },
    {
      name: 'without a budget',
      input: {
        title: 'Trains through Austria',
        destinations: ['Vienna', 'Graz'],
        startDate: '2027-07-01',
        endDate: '2027-07-06',
      },
    },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => {
    // Derived from the key, so that a call that is repeated after a crash creates the same plan.
    const planId = `plan_${sha256(idempotencyKey).slice(0, 24)}`
    const { plan } = await ports.plans.change(
      {
        tenant: caller.tenant,
        userId: caller.principal,
        planId,
        idempotencyKey,
        operation: { kind: 'create', fields: input },
      },
      signal,
    )
    return plan
  },
})
