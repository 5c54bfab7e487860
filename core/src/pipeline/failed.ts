import type { Answer } from '../call/outcome.ts'
import { toToolError } from '../call/tool-error.ts'

/** Whatever was thrown on the way, as an answer. */
export function failed(thrown: unknown): Answer {
  return {
    status: 'failed',
    error: toToolError(thrown),
    source: 'executed',
    originalCallId: undefined,
    audited: false,
  }
}
