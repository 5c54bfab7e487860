import { ToolError } from '@surehand/core'
import type { z } from 'zod'
import { NO_COMPONENTS, type PlanComponents, type PlanFields, type TravelPlan } from './plan.ts'

export type NewPlan = z.output<typeof PlanFields>
export type PlanUpdate = {
  readonly [Field in keyof NewPlan]?: NewPlan[Field] | undefined
} & {
  readonly components?:
    | { readonly [Kind in keyof PlanComponents]?: PlanComponents[Kind] | undefined }
    | undefined
}

/** A change of a plan, as data: it is part of what the ledger compares when a call is repeated. */
export type PlanOperation =
  | { readonly kind: 'create'; readonly fields: NewPlan }
  | { readonly kind: 'update'; readonly update: PlanUpdate }
  | { readonly kind: 'finalize' }
  | { readonly kind: 'delete' }

/** Applies an operation to a plan. Throws where the plan does not allow it. */
export function changePlan(
  before: TravelPlan | undefined,
  operation: PlanOperation,
  { planId, userId, nowMs }: { planId: string; userId: string; nowMs: number },
): TravelPlan | undefined {
  const now = new Date(nowMs).toISOString()
  if (operation.kind === 'create')
    return checkDates({
      ...operation.fields,
      planId,
      userId,
      components: NO_COMPONENTS,
      status: 'draft',
      createdAt: now,
      updatedAt: now,
    })
  if (before === undefined) throw planNotFound(planId)
  switch (operation.kind) {
    case 'update':
      return checkDates(updatePlan(before, operation.update, now))
    case 'finalize':
      return before.status === 'finalized'
        ? before
        : { ...before, status: 'finalized', finalizedAt: now, updatedAt: now }
    case 'delete':
      return undefined
  }
}

function updatePlan(before: TravelPlan, update: PlanUpdate, now: string): TravelPlan {
  const { components = {}, ...fields } = update
  const given = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<NewPlan>
  const changed = Object.fromEntries(
    Object.entries(components).filter(([, value]) => value !== undefined),
  ) as Partial<PlanComponents>
  if (Object.keys(given).length === 0 && Object.keys(changed).length === 0)
    throw invalidUpdates('The update changes nothing. Name at least one field of the plan.')
  return {
    ...before,
    ...given,
    components: { ...before.components, ...changed },
    updatedAt: now,
  }
}

function checkDates(plan: TravelPlan): TravelPlan {
  if (plan.endDate < plan.startDate)
    throw invalidUpdates(
      `The plan would end on ${plan.endDate}, before it starts on ${plan.startDate}. Correct one of the dates.`,
    )
  return plan
}

/** A plan that does not exist, or belongs to another person: the caller cannot tell which. */
export function planNotFound(planId: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `You have no travel plan "${planId}". It may have been deleted or have expired.`,
    { effect: 'none', details: { source_code: 'plan_not_found' } },
  )
}

function invalidUpdates(message: string): ToolError {
  return new ToolError('TOOL_INVALID_INPUT', message, {
    effect: 'none',
    details: { source_code: 'invalid_updates' },
  })
}
