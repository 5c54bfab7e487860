import type { CallRow } from '../call/call-row.ts'
import type { LedgerContext } from './context.ts'
import { fenceOf } from './finish-call.ts'

/** Renews the lease of a claim while its work goes on, after every third of the lease's length. */
export function keepLease(row: CallRow, context: LedgerContext): { readonly stop: () => void } {
  const fence = fenceOf(row)
  let cancel = schedule()

  function schedule(): () => void {
    return context.clock.after(context.leaseMs / 3, () => void renew())
  }

  // A failed renewal is not an error here: the fence refuses every later write, and the effect is
  // not started.
  async function renew(): Promise<void> {
    try {
      if (!(await context.stores.calls.renew(fence, context.leaseMs))) return
    } catch {
      // The store cannot be reached; the next third tries again.
    }
    if (!stopped) cancel = schedule()
  }

  let stopped = false
  return {
    stop() {
      stopped = true
      cancel()
    },
  }
}
