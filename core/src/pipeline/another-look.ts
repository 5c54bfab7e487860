import type { Call } from '../call/call.ts'
import { sleep } from '../ports/clock.ts'
import type { PipelineContext } from './parts.ts'

// those who wait must not hold up the one they wait for: the longer, the less often they look
const POLL_MS = { first: 20, most: 500 }

/** May a caller look again at a key in flight? Waits the growing pause if so, holding nothing; false if it does not wait, or no longer. */
export async function anotherLook(call: Call, parts: PipelineContext): Promise<boolean> {
  const waitedMs = parts.clock.ticks() - call.startedTicks
  const pauseMs = Math.max(
    POLL_MS.first,
    Math.min(POLL_MS.most, (waitedMs / 2) * (0.5 + parts.entropy.random())),
  )
  if (call.whenRunning !== 'wait' || parts.clock.ticks() + pauseMs >= call.deadlineTicks)
    return false
  await sleep(parts.clock, pauseMs, call.signal)
  return true
}
