import type { Progress } from '@surehand/core/host'
import type { ModelCall } from './model-call.ts'

/** The name of the event, and the `type` of what `streamMode: 'custom'` carries. */
export const PROGRESS_EVENT = 'surehand.progress'

/** Tells whoever streams the graph, and whoever listens to its events, how far a call is. */
export function progressTeller({
  tool,
  id,
  config,
  events,
}: ModelCall): (progress: Progress) => void {
  return (progress) => {
    const reported = { type: PROGRESS_EVENT, tool: tool.id, tool_call_id: id, progress }
    config.writer?.(reported)
    // a listener that throws is no trouble of the call's
    events?.handleCustomEvent(PROGRESS_EVENT, reported).catch(() => undefined)
  }
}
