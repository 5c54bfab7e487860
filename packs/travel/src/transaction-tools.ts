import type { Tool } from '@surehand/core'
import { eraseMemory } from './memories/erase-memory.ts'
import { storeMemory } from './memories/store-memory.ts'
import { revokeShare } from './shares/revoke-share.ts'
import { eraseShares, storeShare } from './shares/store-share.ts'

// The tools whose effect is a transaction. SQLite's writer thread loads this module and nothing else
// of the pack, so a tool without a transaction belongs in pack.ts: it would delay every start.

export const travelTransactionTools: readonly Tool[] = [
  storeMemory,
  eraseMemory,
  storeShare,
  revokeShare,
  eraseShares,
]
