import type { Tool } from '@surehand/core'
import { marketplaceTransactionTools } from './transaction-tools.ts'

/** Every tool of the pack. */
export const marketplaceTools: readonly Tool[] = [...marketplaceTransactionTools]
