import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { planWrite } from '../plans/plan-contract.ts'
import { contextOf } from '../travel-context.ts'
import { Share, sharesPort } from './shares-port.ts'

export const unsharePlan = defineTool({
  id: 'travel.unsharePlan',
  title: 'Stop sharing a travel plan',
  category: 'travel',
  description: 'Revokes a link to a plan at once. travel.getTravelPlan lists the links of a plan.',
  aliases: ['unsharePlan'],
  input: z.object({ shareId: z.string().min(1).max(64) }),
  output: Share,
  contract: {
    ...planWrite,
    effect: 'writes.plan',
    idempotency: ({ shareId }) => `unshare:${shareId}`,
  },
  ports: { shares: sharesPort },
  examples: [
    { name: 'a link', input: { shareId: 'share_1' } },
    { name: 'another', input: { shareId: 'share_2' } },
  ],
  execute: ({ input: { shareId }, caller, ports, idempotencyKey, signal }) =>
    ports.shares.revoke({ ...contextOf(caller), shareId, idempotencyKey }, signal),
})
