import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { type Caller, type Envelope, type Outcome, toEnvelope } from '@surehand/core'
import { isErrorFor, type MediaPart, mediaParts, modelNotes, modelText } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Surface } from './options.ts'

/**
 * In the `_meta` of a request: `true` asks for the envelope. In the `_meta` of a result: the
 * envelope; its data is left out where it is the structured content.
 */
export const ENVELOPE_META = 'surehand/envelope'

/** Who reads a result, and with which `_meta` it was requested. */
export type Reader = {
  readonly caller: Caller
  /** The tool that was called, where the result is not that of a task. */
  readonly name?: string
  readonly meta: Readonly<Record<string, unknown>>
}

/**
 * An outcome as the result of a tools/call. Waiting is no error: clients throw on errors. Some
 * clients put everything that a result holds into the model's context, so the envelope and the
 * structured content are sent only to programs that ask for them.
 */
export function reply(outcome: Outcome, reader: Reader, surface: Surface): CallToolResult {
  const envelope = envelopeOf(outcome, surface)
  const forProgram = reader.meta[ENVELOPE_META] === true ? programParts(envelope) : {}
  switch (outcome.status) {
    case 'done':
      return { content: doneContent(envelope, reader, surface), ...forProgram }
    case 'accepted':
    case 'pending':
    case 'asking':
      return { content: [textOf(modelText(envelope))], ...forProgram }
    case 'failed':
      return {
        content: [textOf(modelText(envelope))],
        ...forProgram,
        ...(isErrorFor(reader.name ?? '', envelope) ? { isError: true } : {}),
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

function doneContent(envelope: Envelope, { caller }: Reader, surface: Surface): ContentBlock[] {
  const { data, command } = envelope
  const tool = surface.catalogue.find(command, caller.tenant)
  const content = tool === undefined ? undefined : surface.present(tool, data)
  const parts = tool?.output.isForeign === true ? mediaParts(data)?.map(toBlock) : undefined
  return [...(content ?? parts ?? [textOf(data)]), ...modelNotes(envelope).map(textOf)]
}

function toBlock(part: MediaPart): ContentBlock {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
    case 'audio':
      return { type: part.kind, data: part.base64, mimeType: part.mediaType }
    case 'link':
      return {
        type: 'resource_link',
        uri: part.uri,
        name: part.name,
        ...(part.description === undefined ? {} : { description: part.description }),
        ...(part.mediaType === undefined ? {} : { mimeType: part.mediaType }),
      }
    case 'file': {
      const { uri, mediaType: mimeType, content } = part
      const resource =
        'text' in content
          ? { uri, mimeType, text: content.text }
          : { uri, mimeType, blob: content.base64 }
      return { type: 'resource', resource }
    }
  }
}

function programParts(envelope: Envelope): Pick<CallToolResult, '_meta' | 'structuredContent'> {
  const { data, ...rest } = envelope
  return isRecord(data)
    ? { structuredContent: data, _meta: { [ENVELOPE_META]: rest } }
    : { _meta: { [ENVELOPE_META]: envelope } }
}

function textOf(data: unknown): ContentBlock {
  return { type: 'text', text: typeof data === 'string' ? data : JSON.stringify(data) }
}
