import type { CallRequest } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import type { ModelCall } from './model-call.ts'
import type { Surface } from './options.ts'
import { progressReporter } from './progress.ts'

/**
 * Builds the runtime's request for a model's call. The caller comes from the host, never from a
 * message.
 */
export function toCallRequest(call: ModelCall, surface: Surface): Omit<CallRequest, 'resumes'> {
  const { tool, input, config } = call
  const toolCall = toolCallIdOf(call)
  const run = runIdOf(call, surface)
  return {
    tool: tool.id,
    input,
    caller: surface.caller,
    surface: 'langchain',
    ...(run === undefined || toolCall === undefined ? {} : { hostCall: { run, toolCall } }),
    ...(config.signal === undefined ? {} : { signal: config.signal }),
    onProgress: progressReporter(call),
    ...surface.request?.({ tool, input, toolCallId: toolCall ?? '' }),
  }
}

// Without a thread two runs cannot be told apart, and no key is better than one that two runs
// share.
function runIdOf({ config }: ModelCall, { run }: Surface): string | undefined {
  const thread: unknown = config.configurable?.thread_id
  return (
    run ?? (typeof thread === 'string' || typeof thread === 'number' ? String(thread) : undefined)
  )
}

/**
 * The tool-call id, extended by the enclosing tasks (subgraphs) and by the edits: an edited call is
 * a new call with its own key.
 */
function toolCallIdOf({ id, edits, config }: ModelCall): string | undefined {
  if (id === undefined) return undefined
  const namespace: unknown = config.configurable?.checkpoint_ns
  const parents = typeof namespace === 'string' ? namespace.split('|').slice(0, -1) : []
  return [
    ...parents,
    id,
    ...(edits.length === 0 ? [] : [`edited ${sha256(JSON.stringify(edits))}`]),
  ].join('|')
}
