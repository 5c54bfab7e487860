import type { CallRow } from '../ports/calls.ts'
import type { PipelineContext } from './parts.ts'

const LOOK_EVERY_MS = 1_000

/** Looks now and then whether somebody, perhaps on another node, wants a call to stop; says so once. */
export function watchForStop(
  { tenant, callId }: CallRow,
  parts: PipelineContext,
  onStop: () => void,
): { readonly stop: () => void } {
  let cancel = schedule()
  let isOver = false

  function schedule(): () => void {
    return parts.clock.after(LOOK_EVERY_MS, () => void look())
  }

  async function look(): Promise<void> {
    const isToStop = await wanted()
    if (isOver) return
    if (isToStop) onStop()
    else cancel = schedule()
  }

  // out of reach for the moment: asked again at the next look
  async function wanted(): Promise<boolean> {
    try {
      return await parts.stores.calls.isToStop(tenant, callId)
    } catch {
      return false
    }
  }

  return {
    stop() {
      isOver = true
      cancel()
    },
  }
}
