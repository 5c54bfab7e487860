import { z } from 'zod'
import { ToolError } from '../call/tool-error.ts'
import { once } from '../define/once.ts'
import type { AdminItem, AdminStore } from '../ports/administration.ts'
import { type Clock, sleep } from '../ports/clock.ts'
import type { TenantTools } from '../ports/tenant-tools.ts'
import type { TenantPolicy } from './policy.ts'

/** What administrators have set for a tenant, as this process knows it. A write's claim compares the version it was judged by. */
export type Administration = {
  /** Undefined when it is at hand; else to be waited for before a call is judged. */
  readonly ready: (tenant: string) => Promise<void> | undefined
  readonly policyOf: (tenant: string) => TenantPolicy | undefined
  /** Undefined: nothing is administered here, so there is nothing to compare. */
  readonly versionOf: (tenant: string) => number | undefined
  /** A claim said that what we know is old. */
  readonly reload: (tenant: string) => Promise<void>
}

/** Policies that the host keeps itself. */
export function hostAdministration(
  policyOf: (tenant: string) => TenantPolicy | undefined,
): Administration {
  return {
    ready: () => undefined,
    policyOf,
    versionOf: () => undefined,
    reload: async () => undefined,
  }
}

// reads may be judged by what was known so long ago; writes are compared at their claim
const FRESH_MS = 1_000
// nobody came for a while: what is known may be hours old, and is looked up before anybody is judged by it
const STALE_MS = 3_000
const PATIENCE_MS = 250

type Known = {
  readonly version: number
  readonly policy: TenantPolicy | undefined
  readonly ticks: number
}

/** Policies that live in the store, looked at again as they age. */
export function storedAdministration(
  store: AdminStore,
  clock: Clock,
  brought?: TenantTools,
): Administration {
  const known = new Map<string, Known>()
  const loading = new Map<string, Promise<void>>()

  async function load(tenant: string): Promise<void> {
    // the version first: what changes after it makes the claim say so
    const version = await store.version(tenant)
    const before = known.get(tenant)
    const isSame = before?.version === version
    const policy = isSame ? before.policy : policyIn(await store.list(tenant, 'policy'))
    // before what it says is acted upon
    if (!isSame) await brought?.load(tenant)
    known.set(tenant, { version, policy, ticks: clock.ticks() })
  }

  function loadOnce(tenant: string): Promise<void> {
    const under = loading.get(tenant) ?? load(tenant).finally(() => loading.delete(tenant))
    loading.set(tenant, under)
    return under
  }

  return {
    ready(tenant) {
      const at = known.get(tenant)
      if (at === undefined) return loadOnce(tenant)
      const ageMs = clock.ticks() - at.ticks
      if (ageMs <= FRESH_MS) return undefined
      // out of reach for the moment: what is known goes on to hold, and a write's claim fails closed
      const loading = loadOnce(tenant).catch(() => undefined)
      return ageMs > STALE_MS ? Promise.race([loading, sleep(clock, PATIENCE_MS)]) : undefined
    },
    policyOf: (tenant) => known.get(tenant)?.policy,
    versionOf: (tenant) => known.get(tenant)?.version,
    async reload(tenant) {
      // what is being loaded may have been asked for before the change
      await loading.get(tenant)
      await loadOnce(tenant)
    },
  }
}

/** A tenant's policy as an administrator writes it; its version is the item's. */
export const policyForm = once(() => {
  const Tools = z.string().min(1).max(200)
  const Count = z.int().min(0)
  return z.strictObject({
    enabledTools: z.array(Tools).exactOptional(),
    disabledTools: z.array(Tools).exactOptional(),
    limits: z
      .array(z.strictObject({ tools: Tools, calls: Count, windowMs: z.int().min(1) }))
      .exactOptional(),
    approvals: z
      .array(z.strictObject({ tools: Tools, kind: z.enum(['confirm', 'consent', 'admin']) }))
      .exactOptional(),
    timeouts: z.array(z.strictObject({ tools: Tools, maxMs: z.int().min(1) })).exactOptional(),
    trustedHosts: z.array(z.string().min(1).max(200)).exactOptional(),
    separateApprover: z.boolean().exactOptional(),
  })
})

/** The one policy of a tenant is the item of this id. */
export const POLICY_ID = 'tenant'

function policyIn(items: readonly AdminItem[]): TenantPolicy | undefined {
  const item = items.find(({ id }) => id === POLICY_ID)
  if (item === undefined) return undefined
  const parsed = policyForm().safeParse(JSON.parse(item.value))
  // a policy that can't be read must not be taken for none
  if (!parsed.success)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `The stored policy of this tenant can not be read.`,
    )
  return { ...parsed.data, version: item.version }
}
