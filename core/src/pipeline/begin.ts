import type { CallRequest } from '../call/request.ts'
import type { CallSpan } from '../ports/telemetry.ts'
import type { PipelineContext } from './parts.ts'
import { quietSpan } from './quiet-span.ts'

/** What is known of a call before anything has been looked at. */
export type Begun = {
  readonly callId: string
  readonly tool: string
  readonly tenant: string
  readonly startedAt: number
  readonly startedTicks: number
  readonly span: CallSpan | undefined
  /** What was administered when the call was judged. */
  readonly adminVersion: number | undefined
  /** It has been counted already: judged anew, it takes no quota again. */
  readonly isCounted: boolean
}

/** Gives the call its id and its start; a resumed call keeps the id it was promised under. */
export function begin(request: CallRequest, parts: PipelineContext): Begun {
  const startedAt = parts.clock.now()
  const callId =
    request.resumes?.callId ?? request.step?.callId ?? parts.entropy.newId('call', startedAt)
  const { tenant } = request.caller
  return {
    callId,
    tool: request.tool,
    tenant,
    startedAt,
    startedTicks: parts.clock.ticks(),
    span: quietSpan(parts.telemetry, { callId, tool: request.tool, tenant }),
    adminVersion: parts.administration.versionOf(tenant),
    isCounted: false,
  }
}
