import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { planNotFound } from '../plans/change-plan.ts'
import { PLAN_ID_LENGTH, planWrite } from '../plans/plan-contract.ts'
import { plansPort } from '../plans/plans-port.ts'
import { contextOf } from '../travel-context.ts'
import { Share, sharesPort } from './shares-port.ts'

const DAY_MS = 86_400_000

export const sharePlan = defineTool({
  id: 'travel.sharePlan',
  title: 'Share a travel plan',
  category: 'travel',
  description:
    'Creates a link by which everyone who knows it can read the plan, without its notes, until it expires or is revoked with travel.unsharePlan. The person is asked first.',
  aliases: ['sharePlan'],
  input: z.object({
    planId: z.string().min(1).max(PLAN_ID_LENGTH),
    days: z.int().min(1).max(90).default(14).describe('How long the link works.'),
  }),
  output: Share.extend({ url: z.string() }),
  contract: {
    ...planWrite,
    effect: 'writes.plan',
    limits: [{ calls: 20, per: '1d' }],
    approval: {
      facts: async ({ input: { planId }, ports, caller, signal }): Promise<SharedPlan> => {
        const plan = await ports.plans.get({ ...contextOf(caller), planId }, signal)
        if (plan === undefined) throw planNotFound(planId)
        return { title: plan.title, startDate: plan.startDate, endDate: plan.endDate }
      },
      asks: ({ days }, { title }: SharedPlan) =>
        `Create a link by which everyone who knows it can read the plan "${title}" for ${days} ${days === 1 ? 'day' : 'days'}?`,
    },
  },
  ports: { plans: plansPort, shares: sharesPort },
  examples: [
    { name: 'for two weeks', input: { planId: 'plan_1' } },
    { name: 'for a day', input: { planId: 'plan_1', days: 1 } },
  ],
  execute: ({ input: { planId, days }, caller, ports, idempotencyKey, now, signal }) =>
    ports.shares.create(
      {
        ...contextOf(caller),
        planId,
        // In whole hours, so that a repeated attempt stores the same.
        expiresAt: new Date(wholeHours(now()) + days * DAY_MS).toISOString(),
        idempotencyKey,
      },
      signal,
    ),
})

type SharedPlan = { readonly title: string; readonly startDate: string; readonly endDate: string }

function wholeHours(nowMs: number): number {
  return Math.ceil(nowMs / 3_600_000) * 3_600_000
}
