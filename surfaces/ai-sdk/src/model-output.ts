import { acceptedText, type MediaPart, mediaParts } from '@surehand/core/host'
import type { ToolAnswer, ToolProgress } from './reply.ts'

/**
 * What a model reads for an output: the data as text, followed by the notes. Images, sounds and
 * files of foreign tools stay what they are.
 */
export function modelOutput(output: unknown): ModelOutput {
  if (!isOutput(output)) return { type: 'text', value: plainText(output) }
  const parts = output.status === 'done' ? mediaParts(output.data) : undefined
  if (output.status !== 'done' || parts === undefined || parts.every(isText))
    return { type: 'text', value: textOf(output) }
  const notes = output.notes.map((note) => ({ type: 'text', text: `Note: ${note}` }) as const)
  return { type: 'content', value: [...parts.map(toContent), ...notes] }
}

type ModelOutput =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'content'; readonly value: ContentPart[] }
type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'file'
      readonly mediaType: string
      readonly data: { readonly type: 'data'; readonly data: string }
    }

function isText({ kind }: MediaPart): boolean {
  return kind === 'text'
}

function toContent(part: MediaPart): ContentPart {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'link':
      return { type: 'text', text: `${part.name}: ${part.uri}` }
    case 'image':
    case 'audio':
      return toFile(part.mediaType, part.base64)
    case 'file':
      return 'text' in part.content
        ? { type: 'text', text: part.content.text }
        : toFile(part.mediaType, part.content.base64)
  }
}

function toFile(mediaType: string, data: string): ContentPart {
  return { type: 'file', mediaType, data: { type: 'data', data } }
}

type Output = ToolAnswer | ToolProgress

// Outputs come back with the messages of a browser, which may send anything.
function isOutput(output: unknown): output is Output {
  if (typeof output !== 'object' || output === null || !('status' in output)) return false
  if (output.status === 'done')
    return 'data' in output && 'notes' in output && Array.isArray(output.notes)
  if (output.status === 'pending' || output.status === 'failed')
    return 'text' in output && typeof output.text === 'string'
  return output.status === 'accepted' || output.status === 'running'
}

function textOf(output: Output): string {
  switch (output.status) {
    case 'done':
      return [plainText(output.data), ...output.notes.map((note) => `Note: ${note}`)].join('\n')
    case 'accepted':
      return acceptedText('it', output.callId)
    case 'pending':
    case 'failed':
      return output.text
    // The stream ended before there was an answer.
    case 'running':
      return `It is not known whether this was done. The last progress report: ${plainText(output.message ?? output.fraction ?? 'running')}.`
  }
}

function plainText(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data ?? null)
}
