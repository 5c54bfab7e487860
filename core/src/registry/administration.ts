import { z } from 'zod'
import { ToolError } from '../call/tool-error.ts'
import { once } from '../define/once.ts'
import type { AdminItem, AdminStore } from '../ports/administration.ts'
import { type Clock, sleep } from '../ports/clock.ts'
import type { TenantTools } from '../ports/tenant-tools.ts'
import type { TenantPolicy } from './policy.ts'

/**
 * The settings of a tenant, as this process has cached them. A write's claim compares the version
 * it was authorized under.
 */
export type Administration = {
  /**
   * Undefined when the settings are loaded; else await it before a call is authorized. `ticks`: this
   * moment, where the clock has been read already.
   */
  readonly ready: (tenant: string, ticks?: number) => Promise<void> | undefined
  readonly policyOf: (tenant: string) => TenantPolicy | undefined
  /** Undefined: the host keeps the policies, so there is nothing to compare. */
  readonly versionOf: (tenant: string) => number | undefined
  /** The webhooks that a call has found in this version of the settings; undefined: none is kept. */
  readonly webhooksOf: (tenant: string) => Set<string> | undefined
  /** Reads the settings again, after a claim has reported that they are outdated. */
  readonly reload: (tenant: string) => Promise<void>
}

/** For hosts that keep the policies themselves. */
export function hostAdministration(
  policyOf: (tenant: string) => TenantPolicy | undefined,
): Administration {
  return {
    ready: () => undefined,
    policyOf,
    versionOf: () => undefined,
    webhooksOf: () => undefined,
    reload: async () => undefined,
  }
}

// reads may use settings of this age; writes compare the version at their claim
const FRESH_MS = 1_000
// after a pause the cached settings may be hours old: beyond this age a call waits for a fresh read
const STALE_MS = 3_000
const PATIENCE_MS = 250

type Known = {
  readonly version: number
  readonly policy: TenantPolicy | undefined
  readonly webhooks: Set<string>
  readonly ticks: number
}

/** Policies from the store, cached for a second. */
export function storedAdministration(
  store: AdminStore,
  clock: Clock,
  tenantTools?: TenantTools,
): Administration {
  const known = new Map<string, Known>()
  const loading = new Map<string, Promise<void>>()

  async function load(tenant: string): Promise<void> {
    // the version is read first: a change after it is noticed at the claim
    const version = await store.version(tenant)
    const before = known.get(tenant)
    if (before?.version === version) {
      known.set(tenant, { ...before, ticks: clock.ticks() })
      return
    }
    const policy = policyIn(await store.list(tenant, 'policy'))
    // before the new policy is used
    await tenantTools?.load(tenant)
    known.set(tenant, { version, policy, webhooks: new Set(), ticks: clock.ticks() })
  }

  function loadOnce(tenant: string): Promise<void> {
    const under = loading.get(tenant) ?? load(tenant).finally(() => loading.delete(tenant))
    loading.set(tenant, under)
    return under
  }

  return {
    ready(tenant, ticks = clock.ticks()) {
      const at = known.get(tenant)
      if (at === undefined) return loadOnce(tenant)
      const ageMs = ticks - at.ticks
      if (ageMs <= FRESH_MS) return undefined
      // when the store cannot be reached the cached settings stay in use, and a write's claim fails
      // closed
      const loading = loadOnce(tenant).catch(() => undefined)
      return ageMs > STALE_MS ? Promise.race([loading, sleep(clock, PATIENCE_MS)]) : undefined
    },
    policyOf: (tenant) => known.get(tenant)?.policy,
    versionOf: (tenant) => known.get(tenant)?.version,
    webhooksOf: (tenant) => known.get(tenant)?.webhooks,
    async reload(tenant) {
      // a load under way may have begun before the change
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
  // an unreadable policy must not be treated as no policy
  if (!parsed.success)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'The stored policy of this tenant cannot be read. An administrator must replace it.',
    )
  return { ...parsed.data, version: item.version }
}
