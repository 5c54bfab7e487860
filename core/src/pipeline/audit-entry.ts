import type { Call } from '../call/call.ts'
import { type Hashed, NOTHING_HASHED } from '../call/canonical-text.ts'
import type { Answer, Source } from '../call/outcome.ts'
import type { ToolError } from '../call/tool-error.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { definitionHash } from '../registry/describe.ts'
import type { PipelineContext } from './parts.ts'

/** Before bytes leave: what is about to be done. */
export function intentEntry(call: Call, parts: PipelineContext): AuditEntry {
  return entry(call, elapsed(call, parts), parts, {
    phase: 'intent',
    success: false,
    outcome: 'started',
    code: '',
    error: '',
    source: '',
    output: NOTHING_HASHED,
  })
}

/** It happened. */
export function successEntry(call: Call, parts: PipelineContext, source: Source, output: Hashed): AuditEntry {
  return entry(call, elapsed(call, parts), parts, {
    phase: 'outcome',
    success: true,
    outcome: 'done',
    code: '',
    error: '',
    source,
    output,
  })
}

/** It was refused, or broke. */
export function failureEntry(
  call: Call,
  parts: PipelineContext,
  error: ToolError,
  source: Source,
): AuditEntry {
  return entry(call, elapsed(call, parts), parts, failure(error, source))
}

/** However it ended. */
export function answerEntry(
  call: Call,
  durationMs: number,
  parts: PipelineContext,
  answer: Answer,
): AuditEntry {
  return entry(call, durationMs, parts, endingOf(answer))
}

type Ending = Pick<
  AuditEntry,
  'phase' | 'success' | 'outcome' | 'code' | 'error' | 'source' | 'output'
>

function endingOf(answer: Answer): Ending {
  switch (answer.status) {
    case 'done':
      return {
        phase: 'outcome',
        success: true,
        outcome: 'done',
        code: '',
        error: '',
        source: answer.source,
        output: answer.output,
      }
    case 'failed':
      return failure(answer.error, answer.source)
    case 'pending':
      return {
        phase: 'outcome',
        success: false,
        outcome: 'pending',
        code: 'TOOL_APPROVAL_REQUIRED',
        error: '',
        source: '',
        output: NOTHING_HASHED,
      }
    case 'asking':
      return {
        phase: 'outcome',
        success: false,
        outcome: 'pending',
        code: 'TOOL_INPUT_REQUIRED',
        error: '',
        source: '',
        output: NOTHING_HASHED,
      }
    case 'accepted':
      return {
        phase: 'outcome',
        success: true,
        outcome: 'accepted',
        code: '',
        error: '',
        source: '',
        output: NOTHING_HASHED,
      }
  }
}

function failure(error: ToolError, source: Source): Ending {
  return {
    phase: 'outcome',
    success: false,
    outcome: 'failed',
    code: error.code,
    error: error.message,
    source,
    output: NOTHING_HASHED,
  }
}

function elapsed(call: Call, parts: PipelineContext): number {
  return parts.clock.ticks() - call.startedTicks
}

function entry(call: Call, durationMs: number, parts: PipelineContext, ending: Ending): AuditEntry {
  return {
    id: parts.entropy.newId('aud', call.startedAt),
    phase: ending.phase,
    call_id: call.id,
    request_id: call.requestId,
    tenant: call.caller.tenant,
    principal: call.caller.principal,
    actor: call.caller.actor,
    surface: call.surface,
    tool_name: call.tool.id,
    tool_version: call.tool.version,
    definition_hash: definitionHash(call.tool),
    input: call.meaning,
    output: ending.output,
    success: ending.success,
    outcome: ending.outcome,
    code: ending.code,
    error: ending.error,
    duration_ms: durationMs,
    source: ending.source,
    created_at: call.startedAt + durationMs,
  }
}
