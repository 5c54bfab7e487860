import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { type Envelope, type Outcome, toEnvelope } from '@surehand/core'
import { modelNotes, modelText } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { outputSchemaOf } from './describe.ts'
import type { Surface } from './options.ts'

/** Everything of the envelope but its data, which is the content. */
export const ENVELOPE_META = 'surehand/envelope'

/** An outcome as the result of a tools/call. */
export function reply(outcome: Outcome, surface: Surface, tenant: string): CallToolResult {
  const envelope = envelopeOf(outcome, surface)
  switch (outcome.status) {
    case 'done':
      return done(envelope, surface, tenant)
    case 'accepted':
      return told(envelope, modelText(envelope))
    case 'pending':
    case 'asking':
    case 'failed':
      return { ...told(envelope, modelText(envelope)), ...structured(envelope.data), isError: true }
  }
}

/** The envelope, with the addresses of the pages where people decide and answer. */
export function envelopeOf(outcome: Outcome, { approvalUrl, questionUrl }: Surface): Envelope {
  return toEnvelope(outcome, {
    ...(approvalUrl === undefined ? {} : { approvalUrl }),
    ...(questionUrl === undefined ? {} : { questionUrl }),
  })
}

function done(envelope: Envelope, surface: Surface, tenant: string): CallToolResult {
  const { data, status, command, metadata } = envelope
  const tool = surface.catalogue.find(command, tenant)
  const content = tool === undefined ? undefined : surface.present(tool, data)
  const hasSchema = tool !== undefined && outputSchemaOf(tool) !== undefined
  return {
    content: [...(content ?? [textOf(data)]), ...modelNotes(envelope).map(textOf)],
    ...(hasSchema ? structured(data) : {}),
    _meta: { [ENVELOPE_META]: hasSchema ? { status, command, metadata } : envelope },
  }
}

function told(envelope: Envelope, text: string): CallToolResult {
  const { call_id: callId } = envelope.metadata
  const link: ContentBlock = {
    type: 'resource_link',
    uri: callUri(callId),
    name: callId,
    description: 'The answer, once it is there.',
  }
  const { pending, asking, job } = envelope.metadata
  const isUnderWay = pending !== undefined || asking !== undefined || job !== undefined
  return {
    content: [{ type: 'text', text }, ...(isUnderWay ? [link] : [])],
    _meta: { [ENVELOPE_META]: envelope },
  }
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
