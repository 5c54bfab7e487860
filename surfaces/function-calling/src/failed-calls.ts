import { type Outcome, ToolError } from '@surehand/core'
import type { CallFacts } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { RequestedCall } from './providers/wire.ts'

/** A call that never reached the runtime, because nobody can know that it stands whole in the response. */
export function failIncompleteCall(call: RequestedCall, why: string): Outcome {
  const message = `This call was not made, and nothing was done: ${why}.`
  return failCall(
    call,
    new ToolError('TOOL_INVALID_INPUT', message, {
      suggestions: ['Make the whole call again if it is still wanted.'],
    }),
  )
}

/** A call that never reached the runtime, because what its host says of it broke. */
export function failUnrequestedCall(call: RequestedCall, thrown: unknown): Outcome {
  const { code, message } = toToolError(thrown)
  const suggestions = ['Tell the administrator; the same call breaks in the same way.']
  return failCall(
    call,
    new ToolError(code, `This call was not made, and nothing was done. ${message}`, {
      suggestions,
      cause: thrown,
    }),
  )
}

/** A call whose answer broke on its way back. The table's own advice says of some codes that nothing was lost: here nobody knows. */
export function failUnansweredCall(call: RequestedCall, thrown: unknown): Outcome {
  const { code, message } = toToolError(thrown)
  const suggestions = [
    'Look whether it was done before you ask for it again, and do not say that it was or was not.',
  ]
  return failCall(
    call,
    new ToolError(code, `${message} Whether this call was done is not known.`, {
      suggestions,
      effect: 'possible',
      cause: thrown,
    }),
  )
}

function failCall({ name }: RequestedCall, error: ToolError): Outcome {
  return {
    facts: { ...NO_FACTS, tool: name, title: name },
    status: 'failed',
    error,
    source: 'executed',
    originalCallId: undefined,
  }
}

// there is no id to ask for it by: the runtime made none, or didn't say which
const NO_FACTS: Omit<CallFacts, 'tool' | 'title'> = {
  callId: '',
  category: 'custom',
  schemaVersion: '',
  permissionsUsed: [],
  durationMs: 0,
  validationMs: 0,
  notes: [],
}
