import { acceptedText } from '@surehand/core/host'
import type { ToolAnswer, ToolProgress } from './reply.ts'

/** The text that a model reads for an output: the data, followed by the notes. */
export function modelOutput(output: unknown): { readonly type: 'text'; readonly value: string } {
  return { type: 'text', value: isOutput(output) ? textOf(output) : plainText(output) }
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
