import { takeFromVault } from './take.ts'

/** What the keeping in step writes. */
export const vaultTransactions = [takeFromVault] as const
