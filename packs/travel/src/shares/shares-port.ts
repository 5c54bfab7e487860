import { definePort, sameKey, ToolError } from '@surehand/core'
import { z } from 'zod'
import type { TravelContext } from '../travel-context.ts'

/** A link by which everyone who knows it can read a plan. */
export const Share = z.object({
  shareId: z.string(),
  planId: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().optional(),
})
export type Share = z.output<typeof Share>

export type NewShare = TravelContext & {
  readonly planId: string
  readonly expiresAt: string
  readonly idempotencyKey: string
}

export type SharesPort = {
  /** The address is known only now: what is stored cannot be turned back into it. */
  readonly create: (
    share: NewShare,
    signal: AbortSignal,
  ) => Promise<Share & { readonly url: string }>
  /** Throws `shareNotFound` where this person has no such share. */
  readonly revoke: (
    request: TravelContext & { readonly shareId: string; readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<Share>
  /** The shares of a plan, newest first, also those that have ended. */
  readonly list: (
    query: TravelContext & { readonly planId: string },
    signal: AbortSignal,
  ) => Promise<readonly Share[]>
  /** What a token opens; undefined where it never did, or does no longer. */
  readonly open: (
    request: { readonly tenant: string; readonly token: string; readonly nowMs: number },
    signal: AbortSignal,
  ) => Promise<{ readonly userId: string; readonly planId: string } | undefined>
}

export const sharesPort = definePort<SharesPort>('travelShares', {
  create: sameKey({ validFor: '30d' }),
  revoke: sameKey({ validFor: '30d' }),
  list: 'read',
  open: 'read',
})

/** A link that does not exist, or belongs to another person: the caller cannot tell which. */
export function shareNotFound(shareId: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `You have no shared link "${shareId}". travel.getTravelPlan lists the links of a plan.`,
    { effect: 'none', details: { source_code: 'share_not_found' } },
  )
}
