import type { Tool } from '@surehand/core'
import { forgetVault } from './forget-vault.ts'
import { syncVault } from './sync-vault.ts'
import { vaultPlan } from './vault-plan.ts'
import { vaultTake } from './vault-take.ts'
import { vaultWrite } from './vault-write.ts'

/** They need the port `personalVault`; see providers/vault-folder.ts. */
export const vaultTools: readonly Tool[] = [
  syncVault,
  vaultPlan,
  vaultTake,
  vaultWrite,
  forgetVault,
]
