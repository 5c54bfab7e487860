import type { Envelope, EnvelopeError } from '../call/envelope.ts'
import { isRecord } from '../call/plain-object.ts'
import { wireName } from '../registry/registry.ts'
import { ANSWER_TOOL } from '../runs/answer-tool.ts'

/** What a model is told of a call, in the order it is read: the data and what is to be known about it, or why there is none and what to do now. */
export function modelText(envelope: Envelope): string {
  const { data, error, command, metadata } = envelope
  if (error !== undefined) return errorText(envelope, error)
  if (metadata.job !== undefined && data === null)
    return `Accepted, and not done yet: ${command} runs as the job ${metadata.job.id}. Call: ${metadata.call_id}`
  return [typeof data === 'string' ? data : JSON.stringify(data), ...modelNotes(envelope)].join(
    '\n',
  )
}

/** What a model must not miss beside the data: an answer that is only half of one reads like a whole one otherwise. */
export function modelNotes({ metadata }: Envelope): readonly string[] {
  return (metadata.warnings ?? []).map((warning) => `Note: ${warning}`)
}

function errorText({ metadata }: Envelope, error: EnvelopeError): string {
  const { pending, asking, call_id: callId } = metadata
  return [
    `${error.code}: ${error.message}`,
    ...problemsOf(error),
    ...compensationLines(error.details),
    ...(pending === undefined ? [] : [`Asked: ${pending.asks}`, `Call: ${callId}`]),
    ...(pending?.url === undefined ? [] : [`A person decides here: ${pending.url}`]),
    ...(asking === undefined ? [] : [...askingLines(asking), `Call: ${callId}`]),
    ...(error.recovery_suggestions ?? []).map((suggestion) =>
      suggestion.replaceAll(ANSWER_TOOL, wireName(ANSWER_TOOL)),
    ),
  ].join('\n')
}

// the model that may answer needs what the answer is held against; a person sees it where they answer
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

/** What a run that failed or was cancelled has taken back, and what not. */
export function compensationLines(details: unknown): readonly string[] {
  if (!isRecord(details)) return []
  const steps = (told: unknown) => (Array.isArray(told) ? told.filter(isRecord) : [])
  return [
    ...steps(details.undone).map(({ step }) => `Undone: ${step}`),
    ...steps(details.not_undone).map(({ step, why }) => `Not undone: ${step} (${why})`),
  ]
}

function problemsOf({ details }: EnvelopeError): readonly string[] {
  const problems =
    isRecord(details) && Array.isArray(details.validation_errors) ? details.validation_errors : []
  return problems.filter(isRecord).map(({ field, error }) => `- ${field}: ${error}`)
}
