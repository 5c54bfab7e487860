import { randomUUID } from 'node:crypto'
import { type Backend, exitCodeOf, printEnvelope, printJson, type Terminal } from '@surehand/cli'
import type { Envelope } from '@surehand/core'

/** What a screen of `pm` works with. */
export type PmContext = {
  readonly backend: Backend
  readonly terminal: Terminal
  readonly format: 'json' | 'words'
  readonly flags: ReadonlyMap<string, string>
}

/** A tool call failed, and its error has been printed. */
export class ToolFailed extends Error {
  readonly code: number

  constructor(code: number) {
    super('A tool refused.')
    this.code = code
  }
}

/**
 * Calls a tool with a new idempotency key: running the same command twice is intended to act twice.
 */
export async function callTool(
  { backend }: PmContext,
  tool: string,
  input: object,
): Promise<Envelope> {
  const stop = new AbortController()
  return backend.call({
    tool,
    json: JSON.stringify(input),
    key: `pm-${randomUUID()}`,
    repeat: 'meant',
    signal: stop.signal,
    onProgress: () => undefined,
  })
}

/** The data of a call. When the call fails, the error is printed and the command ends. */
export async function callForData<D>(context: PmContext, tool: string, input: object): Promise<D> {
  const envelope = await callTool(context, tool, input)
  if (envelope.status === 'success' && envelope.metadata.job === undefined)
    return envelope.data as D
  printEnvelope(context.terminal, envelope, context.format)
  throw new ToolFailed(exitCodeOf(envelope))
}

/** Prints a result, as JSON or as lines of text. */
export function printResult(
  { terminal, format }: PmContext,
  data: unknown,
  lines: readonly string[],
): number {
  if (format === 'json') printJson(terminal, data)
  else terminal.stdout.write(`${lines.join('\n')}\n`)
  return 0
}
