import type { CallRow } from '../call/call-row.ts'
import { scopedKey } from '../call/scope.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Clock } from '../ports/clock.ts'
import type { Call } from './call.ts'

const DOUBT_MS = 10 * 60_000
const MOST_DOUBTS = 10_000

type Doubt = { readonly callId: string; readonly untilTicks: number }

/**
 * The writes of this process whose outcome could not be stored. Their rows look as if they were
 * still being executed, so the same input without a stable key is compared with these as well.
 */
export class Doubts {
  readonly #byInput = new Map<string, Doubt>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(call: Call): void {
    const key = inputKey(call)
    this.#byInput.delete(key)
    this.#byInput.set(key, { callId: call.id, untilTicks: this.#clock.ticks() + DOUBT_MS })
    const [oldest] = this.#byInput.keys()
    if (this.#byInput.size > MOST_DOUBTS && oldest !== undefined) this.#byInput.delete(oldest)
  }

  /** The id of an earlier call with this input whose outcome could not be stored. */
  find(call: Call): string | undefined {
    // Nearly always: then the input is not hashed.
    if (this.#byInput.size === 0) return undefined
    const doubt = this.#byInput.get(inputKey(call))
    return doubt === undefined || doubt.untilTicks <= this.#clock.ticks() ? undefined : doubt.callId
  }
}

function inputKey({ caller, tool, canonicalInput }: Call): string {
  return scopedKey(caller.tenant, caller.principal, tool.id, canonicalInput.hash)
}

/**
 * The store was lost while the call was being written: it may have happened, and if its row was
 * written, another process will continue it.
 */
export function storeLostError(call: Call, cause: unknown): ToolError {
  return new ToolError(
    'TOOL_OUTCOME_UNKNOWN',
    `The outcome of ${call.tool.id} (${call.id}) could not be stored: it may have happened, or may still happen.`,
    {
      details: { call_id: call.id, settled: false },
      suggestions: [
        `Fetch the answer of ${call.id} when the database can be reached again.`,
        'Do not repeat it with another idempotency key: it would be done twice.',
      ],
      cause,
    },
  )
}

/**
 * The error of a call that is continued after its answer: an answer that only says "error" would be
 * taken for the end of it.
 */
export function mayStillHappen(
  row: Pick<CallRow, 'toolId' | 'callId'>,
  error: ToolError,
): ToolError {
  if (error.details?.settled === false) return error
  // "Cancelled" would say that nothing happened.
  const code = error.code === 'TOOL_CANCELLED' ? 'TOOL_OUTCOME_UNKNOWN' : error.code
  return new ToolError(
    code,
    `${error.message} It is not known yet whether ${row.toolId} (${row.callId}) happened; it is continued and may still happen.`,
    {
      details: { ...error.details, call_id: row.callId, settled: false },
      suggestions: [
        `Fetch the answer of ${row.callId} later, or call again with the same idempotency key: nothing is done twice.`,
        'Do not repeat it with another idempotency key: it would be done twice.',
      ],
      cause: error,
    },
  )
}
