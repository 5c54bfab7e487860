import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { answerTool, type Envelope, type EnvelopeError, type Outcome, toEnvelope, wireName } from '@surehand/core'
import { outputSchemaOf } from './describe.ts'
import type { Surface } from './options.ts'
import { isRecord } from './request.ts'

/** Everything of the envelope but its data, which is the content. */
export const ENVELOPE_META = 'surehand/envelope'

/** An outcome as the result of a tools/call. */
export function reply(outcome: Outcome, surface: Surface): CallToolResult {
  const envelope = envelopeOf(outcome, surface)
  switch (outcome.status) {
    case 'done':
      return done(envelope, surface)
    case 'accepted':
      return told(envelope, `Accepted, and not done yet: ${envelope.command} runs as the job ${outcome.jobId}.`)
    case 'pending':
    case 'asking':
    case 'failed':
      return { ...told(envelope, errorText(envelope)), ...structured(envelope.data), isError: true }
  }
}

/** The envelope, with the addresses of the pages where people decide and answer. */
export function envelopeOf(outcome: Outcome, { approvalUrl, questionUrl }: Surface): Envelope {
  return toEnvelope(outcome, {
    ...(approvalUrl === undefined ? {} : { approvalUrl }),
    ...(questionUrl === undefined ? {} : { questionUrl }),
  })
}

function done(envelope: Envelope, surface: Surface): CallToolResult {
  const { data, status, command, metadata } = envelope
  const tool = surface.catalogue.find(command)
  const content = tool === undefined ? undefined : surface.present(tool, data)
  const hasSchema = tool !== undefined && outputSchemaOf(tool) !== undefined
  return {
    content: content === undefined ? [textOf(data)] : [...content],
    ...(hasSchema ? structured(data) : {}),
    _meta: { [ENVELOPE_META]: hasSchema ? { status, command, metadata } : envelope },
  }
}

function told(envelope: Envelope, text: string): CallToolResult {
  const { call_id: callId } = envelope.metadata
  const link: ContentBlock = { type: 'resource_link', uri: callUri(callId), name: callId, description: 'The answer, once it is there.' }
  const { pending, asking, job } = envelope.metadata
  const isUnderWay = pending !== undefined || asking !== undefined || job !== undefined
  return { content: [{ type: 'text', text }, ...(isUnderWay ? [link] : [])], _meta: { [ENVELOPE_META]: envelope } }
}

export function callUri(callId: string): string {
  return `surehand://calls/${callId}`
}

function structured(data: unknown): { readonly structuredContent?: Record<string, unknown> } {
  return isRecord(data) ? { structuredContent: data } : {}
}

function textOf(data: unknown): ContentBlock {
  return { type: 'text', text: typeof data === 'string' ? data : JSON.stringify(data) }
}

// what a model needs to do better next time, in the order it is read
function errorText({ error, metadata }: Envelope): string {
  if (error === undefined) return ''
  const { pending, asking, call_id: callId } = metadata
  return [
    `${error.code}: ${error.message}`,
    ...problemsOf(error),
    ...takenBack(error.details),
    ...(pending === undefined ? [] : [`Asked: ${pending.asks}`, `Call: ${callId}`]),
    ...(pending?.url === undefined ? [] : [`A person decides here: ${pending.url}`]),
    ...(asking === undefined ? [] : [...askingLines(asking), `Call: ${callId}`]),
    ...(error.recovery_suggestions ?? []).map((suggestion) => suggestion.replaceAll(answerTool.id, wireName(answerTool.id))),
  ].join('\n')
}

// the model that may answer needs what the answer is held against; a person sees it where they answer
function askingLines({ question_id: id, asks, from, schema, draft, url }: NonNullable<Envelope['metadata']['asking']>): readonly string[] {
  const mine = [`Question: ${id}`, `Schema: ${JSON.stringify(schema)}`, ...(draft === undefined ? [] : [`Draft: ${JSON.stringify(draft)}`])]
  return [
    `Asked: ${asks}`,
    ...(from === 'person' ? [] : mine),
    ...(url === undefined || from === 'model' ? [] : [`A person answers here: ${url}`]),
  ]
}

/** What a run that failed or was cancelled has taken back, and what not. */
export function takenBack(details: unknown): readonly string[] {
  if (!isRecord(details)) return []
  const steps = (told: unknown) => (Array.isArray(told) ? told.filter(isRecord) : [])
  return [
    ...steps(details.undone).map(({ step }) => `Undone: ${step}`),
    ...steps(details.not_undone).map(({ step, why }) => `Not undone: ${step} (${why})`),
  ]
}

function problemsOf({ details }: EnvelopeError): readonly string[] {
  const problems = isRecord(details) && Array.isArray(details.validation_errors) ? details.validation_errors : []
  return problems.filter(isRecord).map(({ field, error }) => `- ${field}: ${error}`)
}
