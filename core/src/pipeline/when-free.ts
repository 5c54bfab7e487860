import type { Call } from '../call/call.ts'
import { isToolError, type ToolError } from '../call/tool-error.ts'
import { anotherLook } from './another-look.ts'
import type { PipelineContext } from './parts.ts'

export type Running = { readonly kind: 'running'; readonly error: ToolError }

/**
 * Tries what another may be at inside the database, where there is no row to look at yet: whoever waits tries again until its deadline.
 * An answer and not an error, which the contract's retries would take for a failure.
 */
export async function whenFree<T>(
  call: Call,
  parts: PipelineContext,
  once: () => Promise<T>,
): Promise<T | Running> {
  for (;;) {
    try {
      return await once()
    } catch (thrown) {
      if (!isToolError(thrown) || thrown.code !== 'TOOL_ALREADY_RUNNING') throw thrown
      if (!(await anotherLook(call, parts))) return { kind: 'running', error: thrown }
    }
  }
}
