import { type Hashed, NOTHING_HASHED } from '../call/canonical.ts'
import { type Answer, outcomeName, type Source } from '../call/outcome.ts'
import type { ToolError } from '../call/tool-error.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { definitionHash } from '../registry/describe.ts'
import type { Call } from './call.ts'
import type { LedgerContext } from './context.ts'

type Ending = Pick<
  AuditEntry,
  'phase' | 'success' | 'outcome' | 'code' | 'error' | 'source' | 'output'
>

const NO_ENDING = { code: '', error: '', source: '', output: NOTHING_HASHED } as const

const INTENT: Ending = { ...NO_ENDING, phase: 'intent', success: false, outcome: 'started' }

/** Written before a request leaves for a provider: what is about to be done. */
export function intentEntry(call: Call, context: LedgerContext): AuditEntry {
  return toEntry(call, readElapsedMs(call, context), context, INTENT)
}

export function successEntry(
  call: Call,
  context: LedgerContext,
  source: Source,
  output: Hashed,
): AuditEntry {
  return toEntry(call, readElapsedMs(call, context), context, toSuccess(source, output))
}

export function failureEntry(
  call: Call,
  context: LedgerContext,
  error: ToolError,
  source: Source,
): AuditEntry {
  return toEntry(call, readElapsedMs(call, context), context, toFailure(error, source))
}

/** The entry for any answer of the pipeline. */
export function answerEntry(
  call: Call,
  durationMs: number,
  context: LedgerContext,
  answer: Answer,
): AuditEntry {
  return toEntry(call, durationMs, context, toEnding(answer))
}

function toEnding(answer: Answer): Ending {
  const outcome = { ...NO_ENDING, phase: 'outcome', success: false } as const
  switch (answer.status) {
    case 'done':
      return toSuccess(answer.source, answer.output)
    case 'failed':
      return toFailure(answer.error, answer.source)
    case 'pending':
      return { ...outcome, outcome: 'pending', code: 'TOOL_APPROVAL_REQUIRED' }
    case 'asking':
      return { ...outcome, outcome: 'pending', code: 'TOOL_INPUT_REQUIRED' }
    case 'accepted':
      return { ...outcome, success: true, outcome: 'accepted' }
  }
}

function toSuccess(source: Source, output: Hashed): Ending {
  return { ...NO_ENDING, phase: 'outcome', success: true, outcome: 'done', source, output }
}

function toFailure(error: ToolError, source: Source): Ending {
  return {
    ...NO_ENDING,
    phase: 'outcome',
    success: false,
    outcome: outcomeName({ status: 'failed', error }),
    code: error.code,
    error: error.message,
    source,
  }
}

function readElapsedMs(call: Call, context: LedgerContext): number {
  return context.clock.ticks() - call.startedTicks
}

function toEntry(
  call: Call,
  durationMs: number,
  context: LedgerContext,
  ending: Ending,
): AuditEntry {
  return {
    id: context.entropy.newId('aud', call.startedAt),
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
    input: call.canonicalInput,
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
