import type { Tool } from '@surehand/core'
import { settleDiscoveryCall } from './settle-call.ts'
import { takeDiscoveryCall } from './take-call.ts'

/** The tools of discovery whose effect is a transaction. */
export const discoveryTransactionTools: readonly Tool[] = [takeDiscoveryCall, settleDiscoveryCall]
