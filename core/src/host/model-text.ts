import { changeText } from '../call/approval.ts'
import { isRecord } from '../call/canonical.ts'
import { type Envelope, type EnvelopeError, FETCH_LATER } from '../call/envelope.ts'
import { wireName } from '../registry/registry.ts'
import { ANSWER_TOOL } from '../runs/answer-tool.ts'
import { RESULT_TOOL } from './result-tool.ts'

/**
 * The answer of a call as text for a model: the data with its warnings, or the error and what to do
 * next.
 */
export function modelText(envelope: Envelope): string {
  const { data, error, command, metadata } = envelope
  if (error !== undefined) return errorText(envelope, error)
  if (metadata.job !== undefined && data === null) return acceptedText(command, metadata.call_id)
  return [typeof data === 'string' ? data : JSON.stringify(data), ...modelNotes(envelope)].join(
    '\n',
  )
}

/** The text for a model whose call runs in the background. */
export function acceptedText(command: string, callId: string): string {
  return `Accepted, but not done yet: ${command} runs in the background.\nCall: ${callId}\n${fetchLater}`
}

/** Warnings as lines for a model: without them a partial answer reads like a complete one. */
export function modelNotes({ metadata }: Envelope): readonly string[] {
  return (metadata.warnings ?? []).map((warning) => `Note: ${warning}`)
}

function errorText({ metadata }: Envelope, error: EnvelopeError): string {
  const { pending, asking, call_id: callId } = metadata
  return [
    // What waits is not an error, and must not begin like one.
    metadata.outcome === 'pending' ? error.message : `${error.code}: ${error.message}`,
    ...problemsOf(error),
    ...compensationLines(error.details),
    ...(pending === undefined ? [] : [`Asked: ${pending.asks}`, `Call: ${callId}`]),
    ...(pending?.changed ?? []).map((change) => `Changed: ${changeText(change)}`),
    ...(pending?.url === undefined ? [] : [`A person decides here: ${pending.url}`]),
    ...(asking === undefined ? [] : [...askingLines(asking), `Call: ${callId}`]),
    ...(error.recovery_suggestions ?? []).map(withWireNames),
  ].join('\n')
}

function withWireNames(suggestion: string): string {
  return [ANSWER_TOOL, RESULT_TOOL].reduce(
    (text, id) => text.replaceAll(id, wireName(id)),
    suggestion,
  )
}

const fetchLater = withWireNames(FETCH_LATER)

// A model that may answer needs the schema of the answer; a person sees it on the page.
function askingLines({
  question_id: id,
  asks,
  from,
  schema,
  draft,
  url,
}: NonNullable<Envelope['metadata']['asking']>): readonly string[] {
  const mine = [
    `Question: ${id}`,
    `Schema: ${JSON.stringify(schema)}`,
    ...(draft === undefined ? [] : [`Draft: ${JSON.stringify(draft)}`]),
  ]
  return [
    `Asked: ${asks}`,
    ...(from === 'person' ? [] : mine),
    ...(url === undefined || from === 'model' ? [] : [`A person answers here: ${url}`]),
  ]
}

/** Which steps a failed or cancelled run has undone, and which not. */
export function compensationLines(details: unknown): readonly string[] {
  if (!isRecord(details)) return []
  const steps = (listed: unknown) => (Array.isArray(listed) ? listed.filter(isRecord) : [])
  return [
    ...steps(details.undone).map(({ step }) => `Undone: ${step}`),
    ...steps(details.not_undone).map(({ step, why }) => `Not undone: ${step} (${why})`),
  ]
}

/** The problems of fields that the message does not say already. */
function problemsOf({ message, details }: EnvelopeError): readonly string[] {
  const problems =
    isRecord(details) && Array.isArray(details.validation_errors) ? details.validation_errors : []
  return problems
    .filter(isRecord)
    .filter(({ error }) => !message.includes(String(error)))
    .map(({ field, error }) => `- ${field}: ${error}`)
}
