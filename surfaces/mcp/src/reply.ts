import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { type Envelope, type EnvelopeError, type Outcome, toEnvelope } from '@surehand/core'
import { outputSchemaOf } from './describe.ts'
import type { Surface } from './options.ts'
import { isRecord } from './request.ts'

/** Everything of the envelope but its data, which is the content. */
export const ENVELOPE_META = 'surehand/envelope'

/** An outcome as the result of a tools/call. */
export function reply(outcome: Outcome, surface: Surface): CallToolResult {
  const envelope = toEnvelope(outcome, surface.approvalUrl === undefined ? {} : { approvalUrl: surface.approvalUrl })
  switch (outcome.status) {
    case 'done':
      return done(envelope, surface)
    case 'accepted':
      return told(envelope, `Accepted, and not done yet: ${envelope.command} runs as the job ${outcome.jobId}.`)
    case 'pending':
    case 'failed':
      return { ...told(envelope, errorText(envelope)), ...structured(envelope.data), isError: true }
  }
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
  const isUnderWay = envelope.metadata.pending !== undefined || envelope.metadata.job !== undefined
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
  const url = metadata.pending?.url
  return [
    `${error.code}: ${error.message}`,
    ...problemsOf(error),
    ...(metadata.pending === undefined ? [] : [`Asked: ${metadata.pending.asks}`, `Call: ${metadata.call_id}`]),
    ...(url === undefined ? [] : [`A person decides here: ${url}`]),
    ...(error.recovery_suggestions ?? []),
  ].join('\n')
}

function problemsOf({ details }: EnvelopeError): readonly string[] {
  const problems = isRecord(details) && Array.isArray(details.validation_errors) ? details.validation_errors : []
  return problems.filter(isRecord).map(({ field, error }) => `- ${field}: ${error}`)
}
