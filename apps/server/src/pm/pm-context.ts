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
  printEnvelope(context.terminal, namedForPeople(envelope, context.format), context.format)
  throw new ToolFailed(exitCodeOf(envelope))
}

/** Prints a result, as JSON or as lines of text. */
export function printResult(
  { terminal, format }: PmContext,
  data: unknown,
  lines: readonly string[],
): number {
  if (format === 'json') printJson(terminal, data)
  else terminal.stdout.write(`${lines.map(nameCommands).join('\n')}\n`)
  return 0
}

// table of tools, as the messages of the pack name them, and the commands that call them
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ['task.organize', 'surehand pm clarify'],
  ['task.clarify', 'surehand pm clarify'],
  ['habit.create', 'surehand pm habit'],
  ['habit.record_completion', 'surehand pm did'],
  ['project.create', 'surehand pm project'],
  ['time.deep_work_start', 'surehand pm work start'],
  ['time.deep_work_stop', 'surehand pm work stop'],
])

/** Names commands where a message of a tool names the tool to call next: people type commands. */
export function nameCommands(line: string): string {
  return line.replace(
    /\b(call|with) ((?:task|habit|project|time|data|knowledge|system)\.[a-z_]+)(?: \{ "habit_name": ("[^"]*") \})?/gu,
    (_found, lead: string, tool: string, name: string | undefined) => {
      const command = COMMANDS.get(tool) ?? `surehand call ${tool}`
      return `${lead === 'call' ? 'run' : lead} ${command}${name === undefined ? '' : ` ${name}`}`
    },
  )
}

function namedForPeople(envelope: Envelope, format: PmContext['format']): Envelope {
  const { error } = envelope
  if (format === 'json' || error === undefined || error === null) return envelope
  return { ...envelope, error: { ...error, message: nameCommands(error.message) } }
}
