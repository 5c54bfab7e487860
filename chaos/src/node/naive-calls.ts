import type { CallStore } from '@surehand/core/ports'

/** The mistake that this harness is there to see: a lease has run out, so the call is run again as if nothing had happened. */
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
