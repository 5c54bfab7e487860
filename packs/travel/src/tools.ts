import type { Tool } from '@surehand/core'
import { travelTransactionTools } from './transaction-tools.ts'

/** Every tool of the pack. */
export const travelTools: readonly Tool[] = [...travelTransactionTools]
