import type { Tool } from '@surehand/core'
import { siteTransactionTools } from './transaction-tools.ts'

/** Every tool of the pack. */
export const siteTools: readonly Tool[] = [...siteTransactionTools]
