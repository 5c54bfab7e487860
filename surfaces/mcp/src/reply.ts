import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { type Envelope, type Outcome, toEnvelope } from '@surehand/core'
import { modelNotes, modelText } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { outputSchemaOf } from './describe.ts'
import type { Surface } from './options.ts'

/** The envelope of the result; its data is left out where it is the structured content. */
export const ENVELOPE_META = 'surehand/envelope'

/** An outcome as the result of a tools/call. */
export function reply(outcome: Outcome, surface: Surface, tenant: string): CallToolResult {
  const envelope = envelopeOf(outcome, surface)
  switch (outcome.status) {
    case 'done':
      return doneResult(envelope, surface, tenant)
    case 'accepted':
      return textResult(envelope, modelText(envelope))
    case 'pending':
    case 'asking':
    case 'failed':
      return {
        ...textResult(envelope, modelText(envelope)),
        ...structuredContentOf(envelope.data),
        isError: true,
      }
  }
}

/** The envelope, with the URLs of the pages on which people decide and answer. */
export function envelopeOf(outcome: Outcome, { approvalUrl, questionUrl }: Surface): Envelope {
  return toEnvelope(outcome, {
    ...(approvalUrl === undefined ? {} : { approvalUrl }),
    ...(questionUrl === undefined ? {} : { questionUrl }),
  })
}

function doneResult(envelope: Envelope, surface: Surface, tenant: string): CallToolResult {
  const { data, status, command, metadata } = envelope
  const tool = surface.catalogue.find(command, tenant)
  const content = tool === undefined ? undefined : surface.present(tool, data)
  const hasSchema = tool !== undefined && outputSchemaOf(tool) !== undefined
  return {
    content: [...(content ?? [textOf(data)]), ...modelNotes(envelope).map(textOf)],
    ...(hasSchema ? structuredContentOf(data) : {}),
    _meta: { [ENVELOPE_META]: hasSchema ? { status, command, metadata } : envelope },
  }
}

function textResult(envelope: Envelope, text: string): CallToolResult {
  const { call_id: callId } = envelope.metadata
  const link: ContentBlock = {
    type: 'resource_link',
    uri: callUri(callId),
    name: callId,
    description: 'The answer, once it exists.',
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

function structuredContentOf(data: unknown): {
  readonly structuredContent?: Record<string, unknown>
} {
  return isRecord(data) ? { structuredContent: data } : {}
}

function textOf(data: unknown): ContentBlock {
  return { type: 'text', text: typeof data === 'string' ? data : JSON.stringify(data) }
}
