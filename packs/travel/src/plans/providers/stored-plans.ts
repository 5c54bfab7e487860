import { ToolError } from '@surehand/core'
import type { ValueStore } from '@surehand/core/ports'
import { z } from 'zod'
import { changePlan, planNotFound } from '../change-plan.ts'
import { NO_COMPONENTS, planLifeMs, TravelPlan } from '../plan.ts'
import type { ChangedPlan, PlanChange, PlanName, PlansPort } from '../plans-port.ts'

/** How many keys of past changes a plan remembers, to recognise a change that is repeated. */
const MAX_KEYS = 50
const MAX_ATTEMPTS = 20
/** A deleted plan leaves its keys behind, so that a repeated change does not bring it back. */
const DELETED_MS = 7 * 86_400_000

const StoredPlan = z.object({
  plan: TravelPlan,
  keys: z.array(z.string()),
  isDeleted: z.boolean(),
})
type StoredPlan = z.output<typeof StoredPlan>

/** The operations of a key–value store that plans need; Redis provides them as well. */
export type PlanValues = Pick<ValueStore, 'get' | 'list' | 'replace'>

/** Plans in a key–value store, with their life time. Two changes at once are applied in turn. */
export function storedPlans(values: PlanValues, now: () => number): PlansPort {
  return {
    async get(name) {
      return toPlan(parseStored(await values.get(name.tenant, keyOf(name))))
    },
    async list({ tenant, userId }) {
      const found = await values.list(tenant, prefixOf(userId))
      return found
        .flatMap(({ value }) => toPlan(parseStored(value)) ?? [])
        .sort((left, right) => (left.updatedAt < right.updatedAt ? 1 : -1))
    },
    async change(change, signal) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        signal.throwIfAborted()
        const changed = await changeOnce(change)
        if (changed !== undefined) return changed
      }
      throw new ToolError(
        'TOOL_EXTERNAL_SERVICE_ERROR',
        'The plan is being changed by many callers at once, and was not changed. Try again.',
        { effect: 'none' },
      )
    },
  }

  /** Undefined where another change came first. */
  async function changeOnce(change: PlanChange): Promise<ChangedPlan | undefined> {
    const expected = await values.get(change.tenant, keyOf(change))
    const before = parseStored(expected)
    if (before?.keys.includes(change.idempotencyKey) === true) return { plan: before.plan }
    const nowMs = now()
    const after = changePlan(toPlan(before), change.operation, { ...change, nowMs })
    const plan = after ?? before?.plan
    if (plan === undefined) throw planNotFound(change.planId)
    const stored: StoredPlan = {
      plan: after ?? emptyPlan(plan),
      keys: [...(before?.keys ?? []), change.idempotencyKey].slice(-MAX_KEYS),
      isDeleted: after === undefined,
    }
    const isStored = await values.replace(change.tenant, keyOf(change), {
      expected,
      value: JSON.stringify(stored),
      ttlMs: after === undefined ? DELETED_MS : planLifeMs(after, nowMs),
    })
    return isStored ? { plan } : undefined
  }
}

// What a repeated deletion answers, and nothing more of what the person wrote.
function emptyPlan(plan: TravelPlan): TravelPlan {
  return { ...plan, components: NO_COMPONENTS, preferences: {}, budget: null }
}

function prefixOf(userId: string): string {
  return `travel/plan/${encodeURIComponent(userId)}/`
}

function keyOf({ userId, planId }: PlanName): string {
  return `${prefixOf(userId)}${encodeURIComponent(planId)}`
}

function parseStored(text: string | undefined): StoredPlan | undefined {
  return text === undefined ? undefined : StoredPlan.parse(JSON.parse(text))
}

function toPlan(stored: StoredPlan | undefined): TravelPlan | undefined {
  return stored === undefined || stored.isDeleted ? undefined : stored.plan
}
