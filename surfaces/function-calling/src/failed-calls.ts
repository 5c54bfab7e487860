import { type Outcome, ToolError } from '@surehand/core'
import type { CallFacts } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { RequestedCall } from './providers/wire.ts'

/**
 * The outcome of a call that is not passed to the runtime, because the response may contain only a
 * part of it.
 */
export function failIncompleteCall(call: RequestedCall, why: string): Outcome {
  const message = `This call was not made, and nothing was done: ${why}.`
  return failCall(
    call,
    new ToolError('TOOL_INVALID_INPUT', message, {
      suggestions: ['Make the complete call again if it is still needed.'],
    }),
  )
}

/**
 * The outcome of a call that is not passed to the runtime, because the host's `request` function
 * threw.
 */
export function failUnrequestedCall(call: RequestedCall, thrown: unknown): Outcome {
  const { code, message } = toToolError(thrown)
  const suggestions = ['Tell the administrator; repeating the call will fail in the same way.']
  return failCall(
    call,
    new ToolError(code, `This call was not made, and nothing was done. ${message}`, {
      suggestions,
      cause: thrown,
    }),
  )
}

/**
 * The outcome of a call whose answer was lost. The default advice of some error codes says that
 * nothing was done; here that is unknown.
 */
export function failUnansweredCall(call: RequestedCall, thrown: unknown): Outcome {
  const { code, message } = toToolError(thrown)
  const suggestions = [
    'Check whether it was done before you call it again, and do not claim that it was or was not done.',
  ]
  return failCall(
    call,
    new ToolError(code, `${message} It is not known whether this call was done.`, {
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

// There is no call id: the runtime created none, or its answer was lost.
const NO_FACTS: Omit<CallFacts, 'tool' | 'title'> = {
  callId: '',
  category: 'custom',
  schemaVersion: '',
  permissionsUsed: [],
  durationMs: 0,
  validationMs: 0,
  notes: [],
}
