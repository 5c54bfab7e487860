import type { PermissionScheme } from '../permissions/permission-scheme.ts'
import type { Clock } from '../ports/clock.ts'
import type { Entropy } from '../ports/entropy.ts'
import type { Stores } from '../ports/stores.ts'
import type { Administration } from './administration.ts'
import type { TenantPolicy } from './policy.ts'
import type { Registry, RegistryOf } from './registry.ts'

/** What the registry, the ledger and the pipeline share. Made once by `createRuntime`. */
export type RegistryContext = {
  /** The tools of the packs, the same for every tenant. */
  readonly registry: Registry
  /** The tools of the packs together with those the tenant imported. */
  readonly registryOf: RegistryOf
  readonly stores: Stores
  readonly clock: Clock
  readonly entropy: Entropy
  readonly scheme: PermissionScheme
  readonly administration: Administration
  readonly policyOf: (tenant: string) => TenantPolicy | undefined
}
