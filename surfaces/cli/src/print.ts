import type { Envelope } from '@surehand/core'
import type { EnvelopeError } from '@surehand/core/host'
import { suggestionsOf, toToolError } from '@surehand/core/worker-entry'
import { safeJson, safeLine, safeText } from './safe-text.ts'
import { shownLines } from './shown.ts'
import { type SuggestionContext, suggestCommands } from './suggest-commands.ts'
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
