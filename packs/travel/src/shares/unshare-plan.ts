import { defineTool, ToolError } from '@surehand/core'
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
  execute: async ({ input: { shareId }, caller, ports, idempotencyKey, signal }) => {
    const share = await ports.shares.revoke(
      { ...contextOf(caller), shareId, idempotencyKey },
      signal,
    )
    if (share === undefined)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `You have no shared link "${shareId}". travel.getTravelPlan lists the links of a plan.`,
        { effect: 'none', details: { source_code: 'share_not_found' } },
      )
    return share
  },
})
