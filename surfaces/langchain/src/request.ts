import type { CallRequest } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import type { ModelCall } from './model-call.ts'
import type { Surface } from './options.ts'
import { progressTeller } from './progress.ts'

/** A model's call as the runtime takes it. Who calls is the host's to say, never the message's. */
export function toCallRequest(call: ModelCall, surface: Surface): Omit<CallRequest, 'resumes'> {
  const { tool, input, config } = call
  const toolCall = toolCallOf(call)
  const run = runOf(call, surface)
  return {
    tool: tool.id,
    input,
    caller: surface.caller,
    surface: 'langchain',
    ...(run === undefined || toolCall === undefined ? {} : { hostCall: { run, toolCall } }),
    ...(config.signal === undefined ? {} : { signal: config.signal }),
    onProgress: progressTeller(call),
    ...surface.request?.({ tool, input, toolCallId: toolCall ?? '' }),
  }
}

// without a thread nothing tells two runs apart: no key is better than one that repeats
function runOf({ config }: ModelCall, { run }: Surface): string | undefined {
  const thread: unknown = config.configurable?.thread_id
  return (
    run ?? (typeof thread === 'string' || typeof thread === 'number' ? String(thread) : undefined)
  )
}

/** The tool call's id; agents in agents count for themselves, and an edit is another wish than the one it replaces. */
function toolCallOf({ id, edits, config }: ModelCall): string | undefined {
  if (id === undefined) return undefined
  const namespace: unknown = config.configurable?.checkpoint_ns
  const parents = typeof namespace === 'string' ? namespace.split('|').slice(0, -1) : []
  return [
    ...parents,
    id,
    ...(edits.length === 0 ? [] : [`edited ${sha256(JSON.stringify(edits))}`]),
  ].join('|')
}
