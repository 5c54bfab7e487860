import {
  type Answer,
  type CallFacts,
  type Outcome,
  outcomeName,
  toOutcome,
} from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { answerEntry } from '../ledger/audit.ts'
import type { Call } from '../ledger/call.ts'
import { awaitStore, ENDING_MS } from '../ledger/deadline.ts'
import { storeLostError } from '../ledger/doubts.ts'
import { toTrace } from '../ledger/timeline.ts'
import { missingRights } from '../permissions/explain-permissions.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { CallMeasure } from '../ports/telemetry.ts'
import type { CallStart, PipelineContext } from './context.ts'

/** How far a call came in the pipeline, and its answer. */
export type PipelineResult = {
  readonly request: CallRequest
  readonly tool: Tool | undefined
  readonly call: Call | undefined
  readonly answer: Answer
}

export function toFailedAnswer(error: ToolError): Answer {
  return { status: 'failed', error, source: 'executed', originalCallId: undefined, audited: false }
}

/** Writes audit, metrics and trace of every call, refused ones included. */
export function record(
  start: CallStart,
  result: PipelineResult,
  context: PipelineContext,
): Outcome | Promise<Outcome> {
  const durationMs = context.clock.ticks() - start.startedTicks
  const written = writeAudit(start, result, durationMs, context)
  return written instanceof Promise
    ? written.then((answer) => measureCall(start, result, answer, durationMs, context))
    : measureCall(start, result, written, durationMs, context)
}

function measureCall(
  start: CallStart,
  result: PipelineResult,
  answer: Answer,
  durationMs: number,
  context: PipelineContext,
): Outcome {
  const { tool } = result
  const facts = toFacts(start, result, durationMs, listNotes(result, answer, context))
  if (tool !== undefined)
    context.latencies.add(
      tool.id,
      facts.durationMs,
      tool.contract.latencyBudgetMs,
      answer.status !== 'failed',
    )
  start.span?.end(toMeasure(start, result, answer, facts))
  writeTrace(start, result, answer, facts, context)
  return toOutcome(facts, answer)
}

// A trace that cannot be made or buffered must not change the answer.
function writeTrace(
  { timeline, callId, tenant, startedAt }: CallStart,
  { request, call }: PipelineResult,
  answer: Answer,
  { tool, durationMs }: CallFacts,
  { stores, onUnexpectedError }: PipelineContext,
): void {
  if (timeline === undefined) return
  try {
    stores.traces?.append(
      toTrace(timeline, call, {
        call_id: callId,
        tenant,
        principal: request.caller.principal,
        tool_name: tool.slice(0, 128),
        outcome: outcomeName(answer),
        started_at: startedAt,
        duration_ms: durationMs,
      }),
    )
  } catch (thrown) {
    onUnexpectedError(thrown, callId)
  }
}

// A read's entry may be written a moment later. If the entry of a write cannot be written, that is
// the answer.
function writeAudit(
  start: CallStart,
  result: PipelineResult,
  durationMs: number,
  context: PipelineContext,
): Answer | Promise<Answer> {
  const { call, answer } = result
  if ((answer.status === 'done' || answer.status === 'failed') && answer.audited) return answer
  const entry =
    call === undefined
      ? refusalEntry(start, result, context)
      : answerEntry(call, durationMs, context, answer)
  const mustBeWritten =
    call !== undefined &&
    (call.tool.contract.isWrite || call.tool.contract.audit === 'before-answer')
  const onFailure = (cause: unknown): Answer =>
    call === undefined || !mustBeWritten ? answer : withoutAudit(call, answer, cause)
  try {
    const written = context.stores.audit.append(entry, mustBeWritten ? 'before-answer' : 'batched')
    if (written === undefined) return answer
    return call === undefined
      ? written.then(() => answer, onFailure)
      : awaitStore(call, context, written, { leastMs: ENDING_MS }).then(() => answer, onFailure)
  } catch (cause) {
    return onFailure(cause)
  }
}

/** The answer of a write whose audit entry cannot be written. */
function withoutAudit(call: Call, answer: Answer, cause: unknown): Answer {
  // What waits or is queued happens later, and what is unsettled may have happened.
  if (answer.status === 'failed' && mayHaveHappened(answer.error)) return answer
  if (answer.status !== 'failed' && answer.status !== 'done')
    return toFailedAnswer(storeLostError(call, cause))
  return toFailedAnswer(
    new ToolError(
      'TOOL_STORAGE_ERROR',
      `The audit log cannot be written at the moment, so ${call.tool.id} is not answered.`,
      { cause },
    ),
  )
}

function mayHaveHappened({ code, details }: ToolError): boolean {
  return (
    details?.settled === false ||
    code === 'TOOL_OUTCOME_UNKNOWN' ||
    code === 'TOOL_RUN_DIVERGED' ||
    code === 'TOOL_ALREADY_RUNNING' ||
    code === 'TOOL_POSSIBLE_DUPLICATE'
  )
}

/**
 * The audit entry of a request that never became a call: the tool does not exist, or its input
 * cannot be read.
 */
function refusalEntry(
  start: CallStart,
  { request, tool, answer }: PipelineResult,
  context: PipelineContext,
): AuditEntry {
  const error = answer.status === 'failed' ? answer.error : undefined
  return auditEntryBy(
    request.caller,
    { id: context.entropy.newId('aud', start.startedAt), now: context.clock.now() },
    {
      phase: 'outcome',
      call_id: start.callId,
      request_id: request.requestId ?? start.callId,
      surface: request.surface,
      tool_name: tool?.id ?? request.tool.slice(0, 128),
      tool_version: tool?.version ?? '',
      success: false,
      outcome: outcomeName(answer),
      code: error?.code ?? '',
      error: error?.message ?? '',
      duration_ms: context.clock.ticks() - start.startedTicks,
    },
  )
}

const NONE: readonly string[] = []

// The details of a declared error are checked against their schema, as an output is.
function listNotes(
  { request, tool, call }: PipelineResult,
  answer: Answer,
  context: PipelineContext,
): readonly string[] {
  if (tool === undefined) return NONE
  const advice =
    call?.tool.contract.permissionCheck === 'advisory'
      ? missingRights(call, context.scheme)
      : undefined
  const deprecation = context.registry.deprecation(request.tool)
  const declared = answer.status === 'failed' ? tool.errors.get(answer.error.code) : undefined
  const isAsDeclared =
    declared === undefined ||
    answer.status !== 'failed' ||
    declared.parse(answer.error.details ?? {}).ok
  if (deprecation === undefined && isAsDeclared && advice === undefined) return NONE
  return [
    ...(deprecation === undefined ? [] : [deprecation.message]),
    ...(advice === undefined
      ? []
      : [`Allowed, because the tool's permissions are advisory: ${advice.message}`]),
    ...(isAsDeclared ? [] : [`The details of this error are not as ${tool.id} declares them.`]),
  ]
}

function toFacts(
  start: CallStart,
  { tool, call }: PipelineResult,
  durationMs: number,
  notes: readonly string[],
): CallFacts {
  return {
    callId: start.callId,
    tool: tool?.id ?? start.tool,
    command: tool?.command,
    title: tool?.title ?? start.tool,
    category: tool?.category ?? 'custom',
    schemaVersion: tool?.version ?? '',
    permissionsUsed: call === undefined ? NONE : call.tool.contract.capabilityNames,
    durationMs,
    // A request that never became a call ended in its validation.
    validationMs: call?.validationMs ?? (tool === undefined ? 0 : durationMs),
    notes,
  }
}

function toMeasure(
  start: CallStart,
  { tool, call, request }: PipelineResult,
  answer: Answer,
  facts: CallFacts,
): CallMeasure {
  return {
    callId: start.callId,
    tool: facts.tool,
    tenant: start.tenant,
    surface: request.surface,
    outcome: outcomeName(answer),
    source: answer.status === 'done' || answer.status === 'failed' ? answer.source : '',
    code: answer.status === 'failed' ? answer.error.code : '',
    durationMs: facts.durationMs,
    latencyBudgetMs: tool?.contract.latencyBudgetMs ?? 0,
    bytesIn: call?.canonicalInput.bytes ?? 0,
    bytesOut: answer.status === 'done' ? answer.output.bytes : 0,
  }
}
