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

/** Written before a request leaves for a provider: what is about to be done, and when. */
export function intentEntry(call: Call, ticks: number, context: LedgerContext): AuditEntry {
  return toEntry(call, ticks - call.startedTicks, context, INTENT)
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

/**
 * An instance of a class, because V8 takes the first records, which all wait in their store, for
 * objects that live long: a literal would be made in the old generation from then on, and each dead
 * record would keep the text of its call until the next full collection.
 */
class CallEntry implements AuditEntry {
  readonly id: string
  readonly phase: AuditEntry['phase']
  readonly call_id: string
  readonly request_id: string
  readonly tenant: string
  readonly principal: string
  readonly actor: string
  readonly surface: string
  readonly tool_name: string
  readonly tool_version: string
  readonly definition_hash: string
  readonly input: Hashed
  readonly output: Hashed
  readonly success: boolean
  readonly outcome: string
  readonly code: AuditEntry['code']
  readonly error: string
  readonly duration_ms: number
  readonly source: AuditEntry['source']
  readonly created_at: number

  constructor(id: string, call: Call, durationMs: number, ending: Ending) {
    const { caller, tool } = call
    this.id = id
    this.phase = ending.phase
    this.call_id = call.id
    this.request_id = call.requestId
    this.tenant = caller.tenant
    this.principal = caller.principal
    this.actor = caller.actor
    this.surface = call.surface
    this.tool_name = tool.id
    this.tool_version = tool.version
    this.definition_hash = definitionHash(tool)
    this.input = call.canonicalInput
    this.output = ending.output
    this.success = ending.success
    this.outcome = ending.outcome
    this.code = ending.code
    this.error = ending.error
    this.duration_ms = durationMs
    this.source = ending.source
    this.created_at = call.startedAt + durationMs
  }
}

function toEntry(
  call: Call,
  durationMs: number,
  context: LedgerContext,
  ending: Ending,
): AuditEntry {
  return new CallEntry(context.entropy.newId('aud', call.startedAt), call, durationMs, ending)
}
