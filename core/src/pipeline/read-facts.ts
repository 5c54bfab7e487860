import { type Facts, NOTHING_DONE, toFacts } from '../approvals/facts.ts'
import { ToolError } from '../call/tool-error.ts'
import type { NormalApproval } from '../define/normal.ts'
import type { Call } from '../ledger/call.ts'
import { toCallError } from '../ledger/scrub.ts'
import { attempt } from './attempt.ts'
import type { PipelineContext } from './context.ts'

/**
 * Reads what is approved beside the input, within the tool's timeout; undefined where the rule has
 * no facts.
 */
export async function readFacts(
  call: Call,
  { facts }: Pick<NormalApproval, 'facts'>,
  context: PipelineContext,
): Promise<Facts | undefined> {
  if (facts === undefined) return undefined
  try {
    const read = await attempt(call, context, (current) =>
      facts({
        input: call.input,
        ports: context.providers.of(call.tool, call.caller.tenant),
        caller: call.caller,
        now: context.clock.now,
        signal: current.signal,
      }),
    )
    return toFacts(call.tool.id, read)
  } catch (thrown) {
    throw unreadableError(call, toCallError(thrown, call, context))
  }
}

// Without the second sentence, the provider's error would read like a failure of the effect.
function unreadableError(call: Call, error: ToolError): ToolError {
  if (error.code === 'TOOL_CANCELLED' || error.message.endsWith(NOTHING_DONE)) return error
  return new ToolError(
    error.code,
    `${error.message} It happened while reading what the approval of ${call.tool.id} covers. ${NOTHING_DONE}`,
    {
      effect: 'none',
      ...(error.details === undefined ? {} : { details: error.details }),
      ...(error.suggestions === undefined ? {} : { suggestions: error.suggestions }),
      cause: error,
    },
  )
}
