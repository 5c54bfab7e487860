import type { Envelope, ToolErrorCode } from '@surehand/core'
import type { EnvelopeError } from '@surehand/core/host'
import { errorRow, suggestionsOf, toToolError } from '@surehand/core/worker-entry'
import { quoteCommand } from './input-to-flags.ts'
import { safeJson, safeLine, safeText } from './safe-text.ts'
import { changeLines, shownLines } from './shown.ts'
import { commandHere, paint, screenWidth, type Terminal } from './terminal.ts'
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
  if (metadata.pending !== undefined) printLines(terminal, pendingLines(envelope, terminal))
  else if (metadata.asking !== undefined) printLines(terminal, askingLines(envelope, terminal))
  else if (error !== undefined)
    printError(terminal, error, { tool: envelope.command, callId: metadata.call_id, ...context })
  else if (metadata.job === undefined)
    printLines(terminal, [valueText(envelope.data, screenWidth(terminal.stdout))])
  else printLines(terminal, jobLines(metadata.call_id, terminal))
  if (metadata.original_call_id !== undefined && metadata.original_call_id !== metadata.call_id)
    terminal.stderr.write(
      `This is the answer of the earlier call ${safeLine(metadata.original_call_id)}; the call was not made again.\n`,
    )
}

function pendingLines(
  { metadata: { pending, call_id } }: Envelope,
  terminal: Terminal,
): readonly string[] {
  if (pending === undefined) return []
  const id = safeLine(pending.approval_id)
  const here = (command: string): string => commandHere(terminal, command)
  return [
    `This call requires approval. ${paint(terminal.stdout, 'yellow', 'Nothing has been done yet.')}`,
    '',
    ...shownLines(pending.asks).map((line) => `  ${line}`),
    '',
    ...changeLines(pending.changed),
    `Expires at ${safeLine(pending.expires_at)}.`,
    ...(pending.url === undefined ? [] : [`Decide in a browser:  ${safeLine(pending.url)}`]),
    `Show the request:     ${here(`surehand approvals show ${id}`)}`,
    `Approve:              ${here(`surehand approvals approve ${id}`)}`,
    `Fetch the result:     ${here(`surehand jobs show ${safeLine(call_id)}`)}`,
  ]
}

function askingLines(
  { metadata: { asking, call_id } }: Envelope,
  terminal: Terminal,
): readonly string[] {
  if (asking === undefined) return []
  const id = safeLine(asking.question_id)
  const here = (command: string): string => commandHere(terminal, command)
  return [
    'The call is not done: it has a question before it continues.',
    '',
    ...shownLines(asking.asks).map((line) => `  ${line}`),
    '',
    `Expires at ${safeLine(asking.expires_at)}.`,
    ...(asking.url === undefined ? [] : [`Answer in a browser:  ${safeLine(asking.url)}`]),
    `Show the question:    ${here(`surehand questions show ${id}`)}`,
    `Answer:               ${here(`surehand questions answer ${id}`)}`,
    `Fetch the result:     ${here(`surehand jobs show ${safeLine(call_id)}`)}`,
  ]
}

function jobLines(callId: string, terminal: Terminal): readonly string[] {
  const id = safeLine(callId)
  return [
    'Accepted: a worker will run the call.',
    `Show the result: ${commandHere(terminal, `surehand jobs show ${id}`)}`,
    `Watch it:        ${commandHere(terminal, `surehand jobs watch ${id}`)}`,
  ]
}

/** Prints what went wrong, field by field, and the commands that would fix it. */
export function printError(
  terminal: Terminal,
  error: EnvelopeError,
  context: SuggestionContext,
): void {
  const { stderr } = terminal
  const problems = problemsOf(error)
  const isSaid = (text: string): boolean =>
    problems.some(
      ({ field, error: wrong }) => text.includes(`"${field}"`) || text.includes(String(wrong)),
    )
  const lines = [
    `${paint(stderr, 'red', safeLine(error.code))}: ${safeText(headline(error, problems))}`,
    ...problems.map(({ field, error: wrong }) => `  --${safeLine(field)}  ${safeLine(wrong)}`),
    // The suggestions say the problems of the fields again.
    ...(error.recovery_suggestions ?? [])
      .filter((suggestion) => !isSaid(suggestion))
      .map((suggestion) => `  ${safeLine(suggestion)}`),
  ]
  const commands = suggestCommands(error, context)
  if (commands.length > 0)
    lines.push(
      'Try:',
      ...commands.map((command) => `  ${safeLine(commandHere(terminal, command))}`),
    )
  if (context.callId !== undefined) lines.push(`Call: ${safeLine(context.callId)}`)
  stderr.write(`${lines.join('\n')}\n`)
}

type FieldProblem = { readonly field: unknown; readonly error: unknown }

function problemsOf({ details }: EnvelopeError): readonly FieldProblem[] {
  const { validation_errors: problems } = (details ?? {}) as {
    readonly validation_errors?: unknown
  }
  return Array.isArray(problems) ? (problems as readonly FieldProblem[]) : []
}

/** The message without the problems of fields, each of which has a line of its own. */
function headline({ message }: EnvelopeError, problems: readonly FieldProblem[]): string {
  if (!problems.some(({ error }) => message.includes(String(error)))) return message
  const [head = ''] = message.split(': ')
  return problems.some(({ field }) => field === head) ? 'This is not valid:' : `${head}:`
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
