import type { ToolErrorCode } from '@surehand/core'
import type { EnvelopeError } from '@surehand/core/host'
import { errorRow } from '@surehand/core/worker-entry'
import { quoteCommand } from './input-to-flags.ts'

export type SuggestionContext = {
  readonly tool?: string | undefined
  readonly callId?: string | undefined
  /** The arguments the call was made with, without its key. */
  readonly again?: readonly string[] | undefined
  readonly key?: string | undefined
}

/** The commands that would fix an error, most useful first. */
export function suggestCommands(
  error: EnvelopeError,
  context: SuggestionContext,
): readonly string[] {
  const details = (error.details ?? {}) as Readonly<Record<string, unknown>>
  const again = (...more: readonly string[]): readonly string[] =>
    context.again === undefined ? [] : [quoteCommand(['surehand', ...context.again, ...more])]
  const callId = typeof details.call_id === 'string' ? details.call_id : context.callId
  switch (error.code as ToolErrorCode) {
    case 'TOOL_POSSIBLE_DUPLICATE':
      return [...idCommand('surehand jobs show', details.earlier_call_id), ...again('--repeat')]
    case 'TOOL_ALREADY_RUNNING':
      return again(...keyWords(context.key), '--wait', '30s')
    case 'TOOL_EXECUTION_TIMEOUT':
    case 'TOOL_CANCELLED':
    case 'TOOL_NETWORK_ERROR':
      return again(...keyWords(context.key))
    case 'TOOL_OUTCOME_UNKNOWN':
      return [
        ...idCommand('surehand jobs show', callId),
        ...idCommand('surehand help jobs   # resolve', callId),
      ]
    case 'TOOL_APPROVAL_REQUIRED':
      return ['surehand approvals list']
    case 'TOOL_INSUFFICIENT_PERMISSIONS':
      if (details.source_code === 'not_signed_in')
        return ['surehand profile add NAME --url URL', 'SUREHAND_TOKEN=… surehand …']
      break
    case 'TOOL_NOT_FOUND':
      return ['surehand search WORDS', 'surehand tools']
    case 'TOOL_DEPRECATED':
      if (typeof details.replacement === 'string')
        return [`surehand show ${quoteCommand([details.replacement])}`]
      break
    default:
  }
  return suggestFromTable(error, context)
}

function suggestFromTable(error: EnvelopeError, { tool }: SuggestionContext): readonly string[] {
  return errorRow(error.code as ToolErrorCode).actions.flatMap(({ command_example: example }) => {
    if (example === undefined || (example.includes('TOOL') && tool === undefined)) return []
    return [example.replace('TOOL', quoteCommand([tool ?? '']))]
  })
}

function idCommand(command: string, id: unknown): readonly string[] {
  return typeof id === 'string' ? [`${command} ${quoteCommand([id])}`] : []
}

function keyWords(key: string | undefined): readonly string[] {
  return key === undefined ? [] : ['--key', key]
}
