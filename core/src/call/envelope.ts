import { type Approval, type FactChange, readShownFacts } from './approval.ts'
import { errorRow } from './errors.ts'
import {
  type CallFacts,
  type Outcome,
  type OutcomeName,
  outcomeName,
  type Source,
} from './outcome.ts'
import type { Question } from './question.ts'
import { suggestionsOf, type ToolError } from './tool-error.ts'

/** The version of the envelope format, not of the product. */
export const PROTOCOL_VERSION = '2.0.0'

/**
 * The answer that every surface sends, in document 004's spelling.
 *
 * @example
 * const summary = (envelope: Envelope) =>
 *   envelope.error === undefined ? envelope.data : `${envelope.error.code}: ${envelope.error.message}`
 */
export type Envelope = {
  readonly status: 'success' | 'failed' | 'error'
  readonly command: string
  readonly data: unknown
  readonly error?: EnvelopeError
  readonly metadata: EnvelopeMetadata
}

export type EnvelopeError = {
  readonly code: string
  readonly message: string
  readonly details?: unknown
  readonly recovery_suggestions?: readonly string[]
}

export type EnvelopeMetadata = {
  readonly version: string
  /** Seconds. */
  readonly execution_time: number
  readonly call_id: string
  /** How the call ended or what it waits for: programs branch on this word, not on the message. */
  readonly outcome: OutcomeName
  readonly original_call_id?: string
  readonly source?: string
  readonly degraded?: true
  readonly warnings?: readonly string[]
  readonly pending?: {
    readonly approval_id: string
    readonly asks: string
    readonly expires_at: string
    readonly url?: string
    /**
     * What has changed since the approval before this one, at most ten differences; the request
     * itself shows them all.
     */
    readonly changed?: readonly FactChange[]
  }
  readonly asking?: Asking
  readonly job?: { readonly id: string }
  readonly tool_info: {
    readonly name: string
    readonly category: string
    readonly permissions_used: readonly string[]
  }
  readonly input_validation: {
    readonly schema_version: string /** Milliseconds. */
    readonly validation_time: number
  }
}

/** A question of a run, and who may answer it. */
export type Asking = {
  readonly question_id: string
  readonly asks: string
  readonly from: string
  readonly schema: unknown
  readonly draft?: unknown
  readonly expires_at: string
  readonly url?: string
}

export type EnvelopeOptions = {
  readonly approvalUrl?: (approvalId: string) => string
  readonly questionUrl?: (questionId: string) => string
  /** How callers of this surface fetch the answer of a call. Default: with `surehand.result`. */
  readonly fetchAnswer?: (callId: string) => string
}

/**
 * Turns the outcome of a call into the envelope that surfaces send.
 *
 * @example
 * const outcome = await runtime.as({ principal: 'ann' }).call(weather, { city: 'Lisbon' })
 * const { status, data } = toEnvelope(outcome)
 */
export function toEnvelope(outcome: Outcome, options: EnvelopeOptions = {}): Envelope {
  const { facts } = outcome
  const metadata = isPlain(outcome)
    ? plainMetadata(facts, outcome.source)
    : fullMetadata(outcome, options)
  switch (outcome.status) {
    case 'done':
      return {
        status: 'success',
        command: facts.command ?? facts.tool,
        data: outcome.data,
        metadata,
      }
    case 'accepted':
      return { status: 'success', command: facts.command ?? facts.tool, data: null, metadata }
    case 'pending':
      return {
        status: 'failed',
        command: facts.command ?? facts.tool,
        data: null,
        error: approvalRequired(outcome, fetchLater(facts, options)),
        metadata,
      }
    case 'asking':
      return {
        status: 'failed',
        command: facts.command ?? facts.tool,
        data: null,
        error: inputRequired(outcome, fetchLater(facts, options)),
        metadata,
      }
    case 'failed':
      return {
        status: errorRow(outcome.error.code).status,
        command: facts.command ?? facts.tool,
        data: outcome.error.data,
        error: toEnvelopeError(outcome.error, options),
        metadata,
      }
  }
}

type Done = Extract<Outcome, { status: 'done' }>

// nearly every answer: there is nothing to report but its source
function isPlain(outcome: Outcome): outcome is Done {
  if (outcome.status !== 'done' || outcome.degraded || outcome.originalCallId !== undefined)
    return false
  return outcome.warnings.length === 0 && outcome.facts.notes.length === 0
}

// the same members as the full metadata, written out: spreading parts together would cost more than
// the rest of the answer
function plainMetadata(facts: CallFacts, source: Source): EnvelopeMetadata {
  return {
    version: PROTOCOL_VERSION,
    execution_time: facts.durationMs / 1000,
    call_id: facts.callId,
    outcome: 'done',
    source,
    tool_info: {
      name: facts.title,
      category: facts.category,
      permissions_used: facts.permissionsUsed,
    },
    input_validation: { schema_version: facts.schemaVersion, validation_time: facts.validationMs },
  }
}

function fullMetadata(outcome: Outcome, options: EnvelopeOptions): EnvelopeMetadata {
  const { facts } = outcome
  return {
    version: PROTOCOL_VERSION,
    execution_time: facts.durationMs / 1000,
    call_id: facts.callId,
    outcome: outcomeName(outcome),
    ...metadataOf(outcome, options),
    ...warningsOf(outcome),
    tool_info: {
      name: facts.title,
      category: facts.category,
      permissions_used: facts.permissionsUsed,
    },
    input_validation: { schema_version: facts.schemaVersion, validation_time: facts.validationMs },
  }
}

function warningsOf(outcome: Outcome): Partial<EnvelopeMetadata> {
  const warnings =
    outcome.status === 'done' ? [...outcome.warnings, ...outcome.facts.notes] : outcome.facts.notes
  return warnings.length === 0 ? {} : { warnings }
}

function metadataOf(outcome: Outcome, options: EnvelopeOptions): Partial<EnvelopeMetadata> {
  switch (outcome.status) {
    case 'done':
      return {
        source: outcome.source,
        ...(outcome.originalCallId === undefined
          ? {}
          : { original_call_id: outcome.originalCallId }),
        ...(outcome.degraded ? { degraded: true } : {}),
      }
    case 'accepted':
      return { job: { id: outcome.jobId } }
    case 'pending': {
      const { id, asks, expiresAt } = outcome.approval
      const { changed } = readShownFacts(outcome.approval)
      return {
        pending: {
          approval_id: id,
          asks,
          expires_at: new Date(expiresAt).toISOString(),
          ...(options.approvalUrl === undefined ? {} : { url: options.approvalUrl(id) }),
          ...(changed.length === 0 ? {} : { changed: changed.slice(0, MOST_CHANGES) }),
        },
      }
    }
    case 'asking':
      return { asking: askingOf(outcome.question, options) }
    case 'failed':
      return outcome.originalCallId === undefined
        ? {}
        : { source: outcome.source, original_call_id: outcome.originalCallId }
  }
}

// a model needs to know what has changed, not all of it
const MOST_CHANGES = 10

/** How an asker gets the answer of a call that waits, with what every surface has. */
export const FETCH_LATER = 'Fetch the answer later by its call_id, with surehand.result.'

function fetchLater({ callId }: CallFacts, { fetchAnswer }: EnvelopeOptions): string {
  return fetchAnswer === undefined
    ? FETCH_LATER
    : `Fetch the answer later with ${fetchAnswer(callId)}.`
}

// models report a pending "success" as done, so its status is `failed`
function approvalRequired(
  { facts, approval }: Extract<Outcome, { status: 'pending' }>,
  later: string,
): EnvelopeError {
  return {
    code: 'TOOL_APPROVAL_REQUIRED',
    message: approvalMessage(facts.tool, approval),
    recovery_suggestions: [
      'Tell the person what is waiting for them, and do not say that it is done.',
      later,
    ],
  }
}

function approvalMessage(tool: string, approval: Approval): string {
  if (approval.toolId !== tool)
    return `${tool} is not done: it waits at one of its steps, which a person must first approve. The steps before it are done.`
  return readShownFacts(approval).askedBefore > 0
    ? `Nothing has been done yet: it was approved, but what it would do has changed since (metadata.pending.changed), so a person must approve ${tool} again. It then runs by itself.`
    : `Nothing has been done yet: a person must first approve ${tool}. It then runs by itself.`
}

function inputRequired(
  { facts, question }: Extract<Outcome, { status: 'asking' }>,
  later: string,
): EnvelopeError {
  const mine =
    'Answer with the tool surehand.answer: question_id and answer, in the shape of metadata.asking.schema.'
  const theirs =
    'Put the question to the person, who answers it themselves; do not answer it for them.'
  return {
    code: 'TOOL_INPUT_REQUIRED',
    message: `${facts.tool} is not done: it goes on when metadata.asking is answered.`,
    recovery_suggestions: [question.from === 'person' ? theirs : mine, later],
  }
}

function askingOf(question: Question, { questionUrl }: EnvelopeOptions): Asking {
  const { id, asks, from, schema, expiresAt } = question
  const draft = draftOf(question)
  return {
    question_id: id,
    asks,
    from,
    schema: JSON.parse(schema) as unknown,
    ...(draft === undefined ? {} : { draft }),
    expires_at: new Date(expiresAt).toISOString(),
    ...(questionUrl === undefined ? {} : { url: questionUrl(id) }),
  }
}

/** The proposed answer of a question, with secrets replaced by digests. */
export function draftOf({ draft, shown, isSecret }: Question): unknown {
  if (draft === '') return undefined
  return isSecret
    ? (JSON.parse(shown) as { readonly draft?: unknown }).draft
    : (JSON.parse(draft) as unknown)
}

function toEnvelopeError(error: ToolError, { fetchAnswer }: EnvelopeOptions): EnvelopeError {
  return {
    code: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
    recovery_suggestions: [...fetchEarlier(error, fetchAnswer), ...suggestionsOf(error)],
  }
}

/** How the asker gets the answer of the earlier call that a possible duplicate names. */
function fetchEarlier(
  { code, details }: ToolError,
  fetchAnswer: EnvelopeOptions['fetchAnswer'],
): readonly string[] {
  const earlier = details?.earlier_call_id
  if (code !== 'TOOL_POSSIBLE_DUPLICATE' || typeof earlier !== 'string') return []
  const way =
    fetchAnswer === undefined
      ? `by its call_id (${earlier}), with surehand.result`
      : `with ${fetchAnswer(earlier)}`
  return [`Fetch the answer of the earlier call ${way}.`]
}
