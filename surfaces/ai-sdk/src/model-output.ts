import type { ToolAnswer, ToolProgress } from './reply.ts'

/** What a model reads of an output: the data, and what it must not miss beside it. */
export function modelOutput(output: unknown): { readonly type: 'text'; readonly value: string } {
  return { type: 'text', value: isOutput(output) ? textOf(output) : plainText(output) }
}

type Output = ToolAnswer | ToolProgress

// outputs come back with the messages of a browser, which may send anything
function isOutput(output: unknown): output is Output {
  if (typeof output !== 'object' || output === null || !('status' in output)) return false
  if (output.status === 'done')
    return 'data' in output && 'notes' in output && Array.isArray(output.notes)
  return output.status === 'accepted' || output.status === 'running'
}

function textOf(output: Output): string {
  switch (output.status) {
    case 'done':
      return [plainText(output.data), ...output.notes.map((note) => `Note: ${note}`)].join('\n')
    case 'accepted':
      return `Accepted, and not done yet: it runs as the job ${output.jobId}. Call: ${output.callId}`
    // the stream broke off before there was an answer
    case 'running':
      return `Not known to be done: the last that was heard is ${plainText(output.message ?? output.fraction ?? 'that it runs')}.`
  }
}

function plainText(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data ?? null)
}
