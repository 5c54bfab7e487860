import { OPERATE } from './contract.ts'

/** The contract of a write that only the marketplace itself and its operators make. */
export const INTERNAL_WRITE = {
  ...OPERATE,
  effect: 'writes.market',
  reversible: true,
  idempotency: 'caller',
  timeout: '5s',
} as const
