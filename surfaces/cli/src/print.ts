import type { Envelope, ToolErrorCode } from '@surehand/core'
import type { EnvelopeError } from '@surehand/core/host'
import { errorRow, isRecord, suggestionsOf, toToolError } from '@surehand/core/worker-entry'
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
  const { message, problems } = splitProblems(error)
  const lines = [
    `${paint(stderr, 'red', safeLine(error.code))}: ${safeText(message)}`,
    // The fields of a call are its flags; other commands name their flags as they like.
    ...problems.map(({ field, error: wrong }) => {
      const name = field === '' ? 'the input' : `${context.again === undefined ? '' : '--'}${field}`
      return `  ${safeLine(name)}  ${safeLine(wrong)}`
    }),
    ...(error.recovery_suggestions ?? [])
      .filter((suggestion) => !repeatsProblem(suggestion, error))
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

type FieldProblem = { readonly field: string; readonly error: string }

function problemsOf({ details }: EnvelopeError): readonly FieldProblem[] {
  const { validation_errors: listed } = (details ?? {}) as { readonly validation_errors?: unknown }
  if (!Array.isArray(listed)) return []
  const problems = listed
    .filter(isRecord)
    .map(({ field, error }) => [String(field), String(error)] as const)
  // A value that breaks two rules in the same words has one problem.
  const unique = new Map(problems.map((problem) => [problem.join('\n'), problem]))
  return [...unique.values()].map(([field, error]) => ({ field, error }))
}

/**
 * The message, and the problems of fields that have a line of their own, so that each is said once:
 * a message that lists them ends before the list, and what another one says is not listed.
 */
function splitProblems(error: EnvelopeError): {
  readonly message: string
  readonly problems: readonly FieldProblem[]
} {
  const { message } = error
  const problems = problemsOf(error)
  const starts = problems.map((problem) => findListed(message, problem))
  if (problems.length === 0 || starts.includes(-1))
    return { message, problems: problems.filter((problem) => !message.includes(problem.error)) }
  const head = message.slice(0, Math.min(...starts)).trim()
  return { message: head === '' ? 'This is not valid:' : head, problems }
}

function findListed(message: string, { field, error }: FieldProblem): number {
  const forms = field === '' ? [`the input ${error}`] : [`${field} ${error}`, `${field}: ${error}`]
  return Math.max(...forms.map((form) => message.indexOf(form)))
}

/** Whether advice only says once more which field is wrong, in the words of a program. */
function repeatsProblem(suggestion: string, error: EnvelopeError): boolean {
  return problemsOf(error).some(
    ({ field, error: wrong }) =>
      suggestion.includes('validation_errors') ||
      suggestion.includes(field === '' ? 'the input' : `"${field}"`) ||
      suggestion.includes(wrong),
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
