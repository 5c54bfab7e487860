import type { CallStore } from '@surehand/core/ports'

/**
 * A deliberate defect that the harness must detect: when a lease has expired, the call is simply
 * executed again.
 */
export function naiveCalls(calls: CallStore): CallStore {
  return {
    ...calls,
    async claim(request) {
      const claim = await calls.claim(request)
      return claim.kind === 'recover'
        ? { kind: 'claimed', row: { ...claim.row, state: 'claimed', effect: undefined } }
        : claim
    },
  }
}
