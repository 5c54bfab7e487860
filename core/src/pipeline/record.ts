import type { Call } from '../call/call.ts'
import type { Answer, CallFacts, Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { missingRights } from '../permissions/missing-rights.ts'
import type { CallMeasure } from '../ports/telemetry.ts'
import { answerEntry } from './audit-entry.ts'
import type { Begun } from './begin.ts'
import { failed } from './failed.ts'
import type { PipelineContext } from './parts.ts'
import { refusalEntry } from './refusal-entry.ts'

/** How far a call came, and what it got. */
export type Walked = {
  readonly request: CallRequest
  readonly tool: Tool | undefined
  readonly call: Call | undefined
  readonly answer: Answer
}

/** Audit, metrics, trace: always, also on a refusal. */
export function record(begun: Begun, walked: Walked, parts: PipelineContext): Outcome | Promise<Outcome> {
  const durationMs = parts.clock.ticks() - begun.startedTicks
  const written = audit(begun, walked, durationMs, parts)
  return written instanceof Promise
    ? written.then((answer) => told(begun, walked, answer, durationMs, parts))
    : told(begun, walked, written, durationMs, parts)
}

function told(
  begun: Begun,
  walked: Walked,
  answer: Answer,
  durationMs: number,
  parts: PipelineContext,
): Outcome {
  const { tool } = walked
  const facts = factsOf(begun, walked, durationMs, notesOf(walked, answer, parts))
  if (tool !== undefined)
    parts.latencies.add(
      tool.id,
      facts.durationMs,
      tool.contract.latencyBudgetMs,
      answer.status !== 'failed',
    )
  begun.span?.end(measureOf(begun, walked, answer, facts))
  return outcomeOf(facts, answer)
}

// a read's record may follow within a moment; when the record of anything else can't be written, that is the answer
function audit(
  begun: Begun,
  walked: Walked,
  durationMs: number,
  parts: PipelineContext,
): Answer | Promise<Answer> {
  const { call, answer } = walked
  if ((answer.status === 'done' || answer.status === 'failed') && answer.audited) return answer
  const entry =
    call === undefined
      ? refusalEntry(begun, walked, parts)
      : answerEntry(call, durationMs, parts, answer)
  const mustStand =
    call !== undefined &&
    (call.tool.contract.isWrite || call.tool.contract.audit === 'before-answer')
  try {
    const written = parts.stores.audit.append(entry, mustStand ? 'before-answer' : 'batched')
    if (written === undefined) return answer
    return written.then(
      () => answer,
      (cause) => unwritten(answer, mustStand, cause),
    )
  } catch (cause) {
    return unwritten(answer, mustStand, cause)
  }
}

function unwritten(answer: Answer, mustStand: boolean, cause: unknown): Answer {
  if (!mustStand) return answer
  return failed(
    new ToolError(
      'TOOL_STORAGE_ERROR',
      'The audit can not be written at the moment, so nothing more is done.',
      { cause },
    ),
  )
}

// a tool that declares the details of its errors is held to it, like to its output
function notesOf({ request, tool, call }: Walked, answer: Answer, parts: PipelineContext): readonly string[] {
  if (tool === undefined) return none
  const advice =
    call?.tool.contract.permissionCheck === 'advisory'
      ? missingRights(call, parts.scheme)
      : undefined
  const deprecation = parts.registry.deprecation(request.tool)
  const declared = answer.status === 'failed' ? tool.errors.get(answer.error.code) : undefined
  const isAsDeclared =
    declared === undefined ||
    answer.status !== 'failed' ||
    declared.parse(answer.error.details ?? {}).ok
  if (deprecation === undefined && isAsDeclared && advice === undefined) return none
  return [
    ...(deprecation === undefined ? [] : [deprecation.message]),
    ...(advice === undefined
      ? []
      : [`Let through, as its document says, though: ${advice.message}`]),
    ...(isAsDeclared ? [] : [`The details of this error are not as ${tool.id} declares them.`]),
  ]
}

function factsOf(
  begun: Begun,
  { tool, call }: Walked,
  durationMs: number,
  notes: readonly string[],
): CallFacts {
  return {
    callId: begun.callId,
    tool: tool?.id ?? begun.tool,
    command: tool?.command,
    title: tool?.title ?? begun.tool,
    category: tool?.category ?? 'custom',
    schemaVersion: tool?.version ?? '',
    permissionsUsed: call === undefined ? none : call.tool.contract.capabilityNames,
    durationMs,
    validationMs: call?.validationMs ?? 0,
    notes,
  }
}

const none: readonly string[] = []

/** The answer of the line with the facts of the call. */
export function outcomeOf(facts: CallFacts, answer: Answer): Outcome {
  switch (answer.status) {
    case 'done': {
      const { data, source, warnings, originalCallId } = answer
      return {
        facts,
        status: 'done',
        data,
        source,
        degraded: source === 'fallback',
        warnings,
        originalCallId,
      }
    }
    case 'pending':
      return { facts, status: 'pending', approval: answer.approval }
    case 'asking':
      return { facts, status: 'asking', question: answer.question }
    case 'accepted':
      return { facts, status: 'accepted', jobId: answer.jobId }
    case 'failed':
      return {
        facts,
        status: 'failed',
        error: answer.error,
        source: answer.source,
        originalCallId: answer.originalCallId,
      }
  }
}

function measureOf(
  begun: Begun,
  { tool, call, request }: Walked,
  answer: Answer,
  facts: CallFacts,
): CallMeasure {
  return {
    callId: begun.callId,
    tool: facts.tool,
    tenant: begun.tenant,
    surface: request.surface,
    outcome: answer.status,
    source: answer.status === 'done' || answer.status === 'failed' ? answer.source : '',
    code: answer.status === 'failed' ? answer.error.code : '',
    durationMs: facts.durationMs,
    latencyBudgetMs: tool?.contract.latencyBudgetMs ?? 0,
    bytesIn: call?.meaning.bytes ?? 0,
    bytesOut: answer.status === 'done' ? answer.output.bytes : 0,
  }
}
