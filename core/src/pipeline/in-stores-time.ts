import type { Call } from '../call/call.ts'
import { ToolError } from '../call/tool-error.ts'
import { cancelled, timedOut } from './attempt.ts'
import type { PipelineContext } from './parts.ts'

// a commit that was under way at the deadline is waited for so long; longer than any disk that is well
const COMMIT_GRACE_MS = 5_000

/**
 * One try of a local effect. The store keeps the time: it alone can say, exactly, that something was rolled back and not committed.
 * The caller's leaving stops nothing any more: it must not be told as "nothing happened".
 */
export function inStoresTime<T>(
  call: Call,
  parts: PipelineContext,
  work: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  if (call.signal?.aborted) return Promise.reject(cancelled(call))
  const timeoutMs = Math.min(call.tool.contract.timeoutMs, call.deadlineTicks - parts.clock.ticks())
  if (timeoutMs <= 0) return Promise.reject(timedOut(call, 0))
  return new Promise((resolve, reject) => {
    const stop = parts.clock.after(timeoutMs + COMMIT_GRACE_MS, () => reject(inDoubt(call)))
    work(timeoutMs).then(resolve, reject).finally(stop)
  })
}

function inDoubt(call: Call): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    `The database does not say whether ${call.tool.id} was committed.`,
    {
      details: { call_id: call.id, settled: false },
      suggestions: ['Call again with the same idempotency key: nothing is done twice.'],
    },
  )
}
