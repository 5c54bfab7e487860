import type { Envelope, ToolErrorCode } from '@surehand/core'
import type { EnvelopeError } from '@surehand/core/host'
import { errorRow, suggestionsOf, toToolError } from '@surehand/core/worker-entry'
import { quoteCommand } from './input-to-flags.ts'
import { safeJson, safeLine, safeText } from './safe-text.ts'
import { changeLines, shownLines } from './shown.ts'
import { screenWidth, type Terminal } from './terminal.ts'
import { valueText } from './value-text.ts'

/** `json` by `--json`, else words for a person. */
export type Format = 'json' | 'words'

export function printJson({ stdout }: Terminal, value: unknown): void {
  stdout.write(`${safeJson(value)}\n`)
}

/** Lines for a person. Text from outside must have been made safe before. */
export function printLines({ stdout }: Terminal, lines: readonly string[]): void {
  stdout.write(`${lines.join('\n')}\n`)
}

/** Prints a call's answer. */
export function printEnvelope(
  terminal: Terminal,
  envelope: Envelope,
  format: Format,
  context: SuggestionContext = {},
): void {
  if (format === 'json') {
    printJson(terminal, envelope)
    return
  }
  const { error, metadata } = envelope
  for (const warning of metadata.warnings ?? [])
    terminal.stderr.write(`Warning: ${safeLine(warning)}\n`)
  if (metadata.pending !== undefined) printLines(terminal, pendingLines(envelope))
  else if (metadata.asking !== undefined) printLines(terminal, askingLines(envelope))
  else if (error !== undefined)
    printError(terminal, error, { tool: envelope.command, callId: metadata.call_id, ...context })
  else if (metadata.job === undefined)
    printLines(terminal, [valueText(envelope.data, screenWidth(terminal.stdout))])
  else printLines(terminal, jobLines(metadata.call_id))
  if (metadata.original_call_id !== undefined && metadata.original_call_id !== metadata.call_id)
    terminal.stderr.write(
      `This is the answer of the earlier call ${safeLine(metadata.original_call_id)}; the call was not made again.\n`,
    )
}

function pendingLines({ metadata: { pending, call_id } }: Envelope): readonly string[] {
  if (pending === undefined) return []
  const id = safeLine(pending.approval_id)
  return [
    'This call requires approval. Nothing has been done yet.',
    '',
    ...shownLines(pending.asks).map((line) => `  ${line}`),
    '',
    ...changeLines(pending.changed),
    `Expires at ${safeLine(pending.expires_at)}.`,
    ...(pending.url === undefined ? [] : [`Decide in a browser:  ${safeLine(pending.url)}`]),
    `Show the request:     surehand approvals show ${id}`,
    `Approve:              surehand approvals approve ${id}`,
    `Fetch the result:     surehand jobs show ${safeLine(call_id)}`,
  ]
}

function askingLines({ metadata: { asking, call_id } }: Envelope): readonly string[] {
  if (asking === undefined) return []
  const id = safeLine(asking.question_id)
  return [
    'The call is not done: it has a question before it continues.',
    '',
    ...shownLines(asking.asks).map((line) => `  ${line}`),
    '',
    `Expires at ${safeLine(asking.expires_at)}.`,
    ...(asking.url === undefined ? [] : [`Answer in a browser:  ${safeLine(asking.url)}`]),
    `Show the question:    surehand questions show ${id}`,
    `Answer:               surehand questions answer ${id}`,
    `Fetch the result:     surehand jobs show ${safeLine(call_id)}`,
  ]
}

function jobLines(callId: string): readonly string[] {
  const id = safeLine(callId)
  return [
    'Accepted: a worker will run the call.',
    `Show the result: surehand jobs show ${id}`,
    `Watch it:        surehand jobs watch ${id}`,
  ]
}

/** Prints what went wrong, field by field, and the commands that would fix it. */
export function printError(
  { stderr }: Terminal,
  error: EnvelopeError,
  context: SuggestionContext,
): void {
  const lines = [`${safeLine(error.code)}: ${safeText(error.message)}`, ...problemLines(error)]
  for (const suggestion of error.recovery_suggestions ?? []) lines.push(`  ${safeLine(suggestion)}`)
  const commands = suggestCommands(error, context)
  if (commands.length > 0)
    lines.push('Try:', ...commands.map((command) => `  ${safeLine(command)}`))
  if (context.callId !== undefined) lines.push(`Call: ${safeLine(context.callId)}`)
  stderr.write(`${lines.join('\n')}\n`)
}

type FieldProblem = { readonly field?: unknown; readonly error?: unknown }

function problemLines({ details }: EnvelopeError): readonly string[] {
  const { validation_errors: problems } = (details ?? {}) as {
    readonly validation_errors?: unknown
  }
  if (!Array.isArray(problems)) return []
  return problems.map(
    (problem: FieldProblem) =>
      `  --${safeLine(problem.field ?? '')}  ${safeLine(problem.error ?? '')}`,
  )
}

/** Turns anything thrown into an envelope's error. */
export function toEnvelopeError(thrown: unknown): EnvelopeError {
  const error = toToolError(thrown)
  return {
    code: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
    recovery_suggestions: suggestionsOf(error),
  }
}

type SuggestionContext = {
  readonly tool?: string | undefined
  readonly callId?: string | undefined
  /** The arguments the call was made with, without its key. */
  readonly again?: readonly string[] | undefined
  readonly key?: string | undefined
}

/** The commands that would fix an error, most useful first. */
function suggestCommands(error: EnvelopeError, context: SuggestionContext): readonly string[] {
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
