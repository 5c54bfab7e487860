import type { Fence } from '../ports/calls.ts'
import type { PipelineContext } from './parts.ts'

/** Keeps a claim alive while its work goes on, renewed at a third of its length. */
export function keepLease(fence: Fence, parts: PipelineContext): { readonly stop: () => void } {
  let cancel = schedule()

  function schedule(): () => void {
    return parts.clock.after(parts.leaseMs / 3, () => void renew())
  }

  // a failed renewal is no error here: the fence refuses every later write, and the effect is not begun
  async function renew(): Promise<void> {
    try {
      if (!(await parts.stores.calls.renew(fence, parts.leaseMs))) return
    } catch {
      // out of reach for the moment: tried again at the next third
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
