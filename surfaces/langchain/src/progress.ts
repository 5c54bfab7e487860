import type { Progress } from '@surehand/core/host'
import type { ModelCall } from './model-call.ts'

/** The name of the progress event, and the `type` of the chunks in `streamMode: 'custom'`. */
export const PROGRESS_EVENT = 'surehand.progress'

/** Reports the progress of a call to the graph's stream and to the listeners of its events. */
export function progressReporter({
  tool,
  id,
  config,
  events,
}: ModelCall): (progress: Progress) => void {
  return (progress) => {
    const reported = { type: PROGRESS_EVENT, tool: tool.id, tool_call_id: id, progress }
    config.writer?.(reported)
    // A listener that throws must not fail the call.
    events?.handleCustomEvent(PROGRESS_EVENT, reported).catch(() => undefined)
  }
}
