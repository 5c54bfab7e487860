import type { Call } from '../call/call.ts'
import { ToolError } from '../call/tool-error.ts'
import type { CallRow } from '../ports/calls.ts'

const DUPLICATE_WINDOW_MS = 10 * 60_000

/** Without a stable key, how far back the same input counts as the same wish; the claim looks again, in one step with taking it. */
export function guardMs(call: Call): number | undefined {
  const { contract } = call.tool
  const isGuess =
    contract.isWrite &&
    !contract.reversible &&
    call.keySource === 'fresh' &&
    call.repeat === 'refuse' &&
    call.resumes === undefined
  return isGuess ? DUPLICATE_WINDOW_MS : undefined
}

export function possibleDuplicate(call: Call, earlier: CallRow): ToolError {
  const message = `${call.tool.id} was called with the same input a moment ago (${earlier.callId}, ${earlier.state}); it can't be undone.`
  return new ToolError('TOOL_POSSIBLE_DUPLICATE', message, {
    details: { earlier_call_id: earlier.callId, earlier_state: earlier.state },
    suggestions: [
      'Fetch the answer of the earlier call.',
      'If it is meant a second time, a person or the host has to say so.',
    ],
  })
}
