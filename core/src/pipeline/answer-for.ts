import type { Call } from '../call/call.ts'
import { canonicalJson } from '../call/canonical.ts'
import { CanonicalText } from '../call/canonical-text.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { scopeCovers } from '../define/data-scope.ts'
import type { Tool } from '../define/tool.ts'
import { accessOf } from '../permissions/access.ts'
import type { Asked } from '../permissions/attributes.ts'
import { isAbandoned } from '../ports/abandoned.ts'
import type { CallRow } from '../ports/calls.ts'
import { parkedAnswer } from '../runs/waiting.ts'
import { anotherLook } from './another-look.ts'
import { inTime } from './in-time.ts'
import { checkOutput } from './output.ts'
import type { PipelineContext } from './parts.ts'
import { pending } from './pending.ts'

const RETRY_AFTER_MS = 1_000

/** What a row says to whoever asks under its key; undefined when the key is free. Used by `replay` and by a lost claim. */
export async function answerFor(
  row: CallRow,
  call: Call,
  parts: PipelineContext,
): Promise<Answer | undefined> {
  if (row.state === 'released' || row.state === 'cancelled') return undefined
  if (row.state === 'pruned') throw keyExpired(row)
  if (row.inputHash !== call.meaning.hash) throw conflict(call)
  switch (row.state) {
    case 'succeeded':
    case 'failed':
      refuseNarrowed(row, call, parts)
      return storedAnswer(row, call.tool)
    case 'unknown':
      throw unknownOf(row)
    case 'parked':
      return parkedAnswer(row, parts)
    case 'waiting':
      return pending(row, parts)
    case 'queued':
      // whoever comes after the yes drives it on; of two who do, the claim picks one
      return call.tool.isDeferred
        ? { status: 'accepted', jobId: row.callId }
        : recovered(row, call, parts)
    case 'claimed':
    case 'effect_started':
      return isAbandoned(row) ? recovered(row, call, parts) : running(row, call, parts)
  }
}

/** Somebody else was first: their row is the answer. */
export async function heldAnswer(row: CallRow, call: Call, parts: PipelineContext): Promise<Answer> {
  const answer = await answerFor(row, call, parts)
  if (answer !== undefined) return answer
  throw new ToolError(
    'TOOL_ALREADY_RUNNING',
    `${call.tool.id} changed hands just now; ask again.`,
    { details: { retry_after_ms: 100 } },
  )
}

// an answer made over more data than the caller may see today is not theirs any more
export function refuseNarrowed(row: CallRow, asked: Asked, parts: PipelineContext): void {
  const { tool } = asked
  if (tool.contract.permissionCheck !== 'required') return
  for (const [capability, scope] of Object.entries(row.scopes)) {
    if (
      !tool.contract.capabilityNames.includes(capability) ||
      scopeCovers(accessOf(asked, parts.scheme).scopeOf(capability), scope)
    )
      continue
    throw new ToolError(
      'TOOL_RESOURCE_ACCESS_DENIED',
      `This answer of ${tool.id} was made with ${capability} over "${scope}" data, which is more than today's rights cover.`,
    )
  }
}

/** Nobody holds it any more: whoever finds it drives it on, through the one door. */
async function recovered(row: CallRow, call: Call, parts: PipelineContext): Promise<Answer | undefined> {
  // the drive goes on though the caller may leave: one caller's leaving must not strand the key
  const outcome = await inTime(call, parts, parts.resume(row))
  const now = await parts.stores.calls.get(row.tenant, row.callId)
  const isUnderWay = now !== undefined && (now.state === 'queued' || now.leaseUntil !== undefined)
  // another was quicker to drive it on
  if (isUnderWay && outcome.status === 'failed' && outcome.error.code === 'TOOL_ALREADY_RUNNING')
    return running(now, call, parts)
  if (
    outcome.status === 'failed' &&
    (now === undefined || now.state === 'released' || now.state === 'cancelled' || isUnderWay)
  )
    throw outcome.error
  return now === undefined ? undefined : answerFor(now, call, parts)
}

// a waiter holds nothing but its patience: it looks again, and again
async function running(row: CallRow, call: Call, parts: PipelineContext): Promise<Answer | undefined> {
  if (await anotherLook(call, parts)) {
    const now = await parts.stores.calls.get(row.tenant, row.callId)
    return now === undefined ? undefined : answerFor(now, call, parts)
  }
  throw new ToolError(
    'TOOL_ALREADY_RUNNING',
    `${call.tool.id} is already running under this key (${row.callId}).`,
    {
      details: { call_id: row.callId, retry_after_ms: RETRY_AFTER_MS },
    },
  )
}

/** The kept answer of a finished call, as it was. */
export function storedAnswer(row: CallRow, tool: Tool | undefined): Answer {
  const answer = row.answer
  if (answer === undefined)
    throw new ToolError(
      'TOOL_DATA_CORRUPTION',
      `The call ${row.callId} is ${row.state} without an answer.`,
    )
  switch (answer.kind) {
    case 'output': {
      const data: unknown = JSON.parse(answer.json)
      // a local effect is kept before its output is checked
      const checked = tool?.work.kind === 'transaction' ? checkOutput(tool, data) : undefined
      if (checked?.ok === false)
        return replayedFailure(row, invalidOutput(row.toolId, checked.problem, row.callId))
      return {
        status: 'done',
        data: checked?.data ?? data,
        source: 'replayed',
        warnings: answer.warnings,
        originalCallId: row.callId,
        audited: false,
        output: new CanonicalText(canonicalJson(data)),
      }
    }
    case 'invalid_output':
      return replayedFailure(row, invalidOutput(row.toolId, answer.problem, row.callId))
    case 'error':
      return replayedFailure(
        row,
        new ToolError(answer.code, answer.message, {
          details: JSON.parse(answer.details) as Record<string, unknown>,
          data: JSON.parse(answer.data) as unknown,
        }),
      )
  }
}

function replayedFailure(row: CallRow, error: ToolError): Answer {
  return { status: 'failed', error, source: 'replayed', originalCallId: row.callId, audited: false }
}

/** The effect is done; its answer is not in the shape it declares. */
export function invalidOutput(toolId: string, problem: string, callId: string): ToolError {
  return new ToolError(
    'TOOL_INVALID_OUTPUT',
    `${toolId} answered in a shape it does not declare: ${problem}.`,
    {
      details: { call_id: callId, problem },
    },
  )
}

/** Its answer is forgotten, and it can't be undone: running it again in silence would be the worse mistake. */
export function keyExpired(row: Pick<CallRow, 'toolId' | 'callId'>): ToolError {
  return new ToolError(
    'TOOL_KEY_EXPIRED',
    `${row.toolId} was done under this key so long ago that its answer is not kept (${row.callId}).`,
    {
      details: { call_id: row.callId },
      suggestions: ['Look up what was done then. If doing it again is meant, use a new key.'],
    },
  )
}

/** Why nobody knows, where that was kept. */
export function unknownOf(row: CallRow): ToolError {
  if (row.answer?.kind !== 'error') return outcomeUnknown(row)
  const { code, message, details } = row.answer
  return new ToolError(code, message, { details: JSON.parse(details) as Record<string, unknown> })
}

export function outcomeUnknown(
  row: Pick<CallRow, 'toolId' | 'callId'>,
  cause?: unknown,
): ToolError {
  return new ToolError(
    'TOOL_OUTCOME_UNKNOWN',
    `Nobody knows yet whether ${row.toolId} (${row.callId}) happened.`,
    {
      details: { call_id: row.callId },
      ...(cause === undefined ? {} : { cause }),
    },
  )
}

function conflict(call: Call): ToolError {
  return new ToolError(
    'TOOL_IDEMPOTENCY_CONFLICT',
    `This key was used for ${call.tool.id} with another input.`,
    {
      details: { tool: call.tool.id },
    },
  )
}
