import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import type { CallRow, Claim, ClaimRequest } from '../ports/calls.ts'
import { heldAnswer } from './answer-for.ts'
import { guardMs, possibleDuplicate } from './duplicate.ts'
import { newCall } from './new-call.ts'
import { outdated } from './outdated.ts'
import type { PipelineContext } from './parts.ts'

/** Ours to drive, or what its row answers. */
export type Taken = { readonly row: CallRow } | { readonly answer: Answer }

/** Claims a call's row. */
export async function takeCall(call: Call, parts: PipelineContext): Promise<Taken> {
  const claim = await parts.stores.calls.claim(claimRequest(call, parts))
  switch (claim.kind) {
    case 'held':
      return { answer: await heldAnswer(claim.row, call, parts) }
    case 'claimed':
    case 'recover':
      return { row: claim.row }
    default:
      throw refusedClaim(call, claim)
  }
}

export function claimRequest(call: Call, parts: PipelineContext): ClaimRequest {
  return {
    call: newCall(call, parts),
    leaseMs: parts.leaseMs,
    resumes: call.resumes !== undefined,
    guardMs: guardMs(call),
    adminVersion: call.adminVersion,
    atMost: call.tool.contract.concurrency,
  }
}

/** Why a row is not ours, where that is no answer. */
export function refusedClaim(
  call: Call,
  claim: Exclude<Claim, { kind: 'held' | 'claimed' | 'recover' }>,
): ToolError {
  switch (claim.kind) {
    case 'duplicate':
      return possibleDuplicate(call, claim.row)
    case 'approval_lapsed':
      return approvalLapsed(call)
    case 'outdated':
      return outdated(call)
    case 'busy':
      return notYet(call)
  }
}

function approvalLapsed(call: Call): ToolError {
  return new ToolError(
    'TOOL_APPROVAL_DENIED',
    `The yes to ${call.tool.id} expired before it was used.`,
    {
      suggestions: ['Ask again: a new question is put.'],
    },
  )
}

const TURN_MS = 500

/** As many of its jobs are under way as may be: it stays on the list. */
function notYet(call: Call): ToolError {
  return new ToolError('TOOL_RESOURCE_UNAVAILABLE', `${call.tool.id} waits for its turn.`, {
    effect: 'none',
    details: { retry_after_ms: TURN_MS },
  })
}
