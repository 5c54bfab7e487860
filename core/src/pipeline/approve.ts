import { question } from '../approvals/question.ts'
import { approvalRule } from '../approvals/rule.ts'
import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import type { NormalApproval } from '../define/normal.ts'
import type { CallRow } from '../ports/calls.ts'
import { definitionHash } from '../registry/describe.ts'
import { heldAnswer } from './answer-for.ts'
import { newCall } from './new-call.ts'
import type { PipelineContext } from './parts.ts'

/** A person must say yes first. A resumed call has its yes in the row; the claim uses it up. */
export function approve(call: Call, parts: PipelineContext): Promise<Answer | undefined> | undefined {
  const rule = approvalRule(call, parts.scheme)
  if (call.resumes !== undefined) return refuseChanged(call, call.resumes, rule)
  return rule === undefined ? undefined : ask(call, rule, parts)
}

// a yes is for this definition and this input alone
function refuseChanged(call: Call, row: CallRow, rule: NormalApproval | undefined): undefined {
  if (row.inputHash !== call.meaning.hash)
    throw new ToolError(
      'TOOL_RUN_DIVERGED',
      `${call.tool.id} reads the stored input of ${row.callId} differently now.`,
    )
  // today's policy holds for what waited, but not for a run that has begun: what was queued without a yes may need one by now
  if (
    rule !== undefined &&
    row.approvalId === undefined &&
    row.state === 'queued' &&
    row.spentMs === 0
  )
    throw new ToolError(
      'TOOL_APPROVAL_DENIED',
      `${call.tool.id} needs a yes by now, and was queued without one.`,
      {
        suggestions: ['Call it again: the question is put then.'],
      },
    )
  // a run that has begun used its yes up; whether it still does the same its journal says
  if (row.spentMs > 0 || (call.tool.work.kind === 'run' && row.state !== 'queued')) return undefined
  if (row.approvalId === undefined || row.definitionHash === definitionHash(call.tool))
    return undefined
  throw new ToolError(
    'TOOL_APPROVAL_DENIED',
    `${call.tool.id} has changed since a person said yes to it.`,
    {
      suggestions: ['Ask again: the question is put for the tool as it is now.'],
    },
  )
}

async function ask(call: Call, rule: NormalApproval, parts: PipelineContext): Promise<Answer | undefined> {
  const asked = await parts.stores.approvals.ask(
    question(call, rule, parts.entropy.newId('appr', call.startedAt)),
    newCall(call, parts),
  )
  switch (asked.kind) {
    case 'asked':
    case 'pending':
      return { status: 'pending', approval: asked.approval }
    case 'denied':
      throw denied(call, asked.approval.decision?.reason)
    case 'held':
      return heldAnswer(asked.row, call, parts)
  }
}

function denied(call: Call, reason: string | undefined): ToolError {
  return new ToolError(
    'TOOL_APPROVAL_DENIED',
    `A person said no to ${call.tool.id} with this input${reason === undefined ? '' : `: ${reason}`}.`,
    { details: { tool: call.tool.id } },
  )
}
