import { definePort, sameKey } from '@surehand/core'
import type { PlanOperation } from './change-plan.ts'
import type { TravelPlan } from './plan.ts'

export type PlanName = {
  readonly tenant: string
  readonly userId: string
  readonly planId: string
}

export type PlanChange = PlanName & {
  readonly idempotencyKey: string
  readonly operation: PlanOperation
}

export type ChangedPlan = {
  /** The plan after the change; a deleted plan as it was before. */
  readonly plan: TravelPlan
}

/** Stores travel plans. A change with a key that was applied before is not applied again. */
export type PlansPort = {
  readonly get: (name: PlanName, signal: AbortSignal) => Promise<TravelPlan | undefined>
  /** The plans of a person, the one that was changed last first. */
  readonly list: (
    owner: Pick<PlanName, 'tenant' | 'userId'>,
    signal: AbortSignal,
  ) => Promise<readonly TravelPlan[]>
  readonly change: (change: PlanChange, signal: AbortSignal) => Promise<ChangedPlan>
}

export const plansPort = definePort<PlansPort>('travelPlans', {
  get: 'read',
  list: 'read',
  change: sameKey({ validFor: '7d' }),
})
