import { randomUUID } from 'node:crypto'
import { type Backend, exitCodeOf, printEnvelope, printJson, type Terminal } from '@surehand/cli'
import type { Envelope } from '@surehand/core'

/** What a screen of `pm` works with. */
export type Use = {
  readonly backend: Backend
  readonly terminal: Terminal
  readonly format: 'json' | 'words'
  readonly flags: ReadonlyMap<string, string>
}

/** A tool said no: what it said was told already. */
export class Refused extends Error {
  readonly code: number

  constructor(code: number) {
    super('A tool refused.')
    this.code = code
  }
}

/** Calls a tool under a key of its own: whoever presses Enter twice means it twice. */
export async function ask({ backend }: Use, tool: string, input: object): Promise<Envelope> {
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

/** The data of a call that must work; otherwise what is wrong is told, and the command ends. */
export async function dataOf<D>(use: Use, tool: string, input: object): Promise<D> {
  const envelope = await ask(use, tool, input)
  if (envelope.status === 'success' && envelope.metadata.job === undefined)
    return envelope.data as D
  printEnvelope(use.terminal, envelope, use.format)
  throw new Refused(exitCodeOf(envelope))
}

/** What came of it, as data or as a sentence. */
export function tell({ terminal, format }: Use, data: unknown, lines: readonly string[]): number {
  if (format === 'json') printJson(terminal, data)
  else terminal.stdout.write(`${lines.join('\n')}\n`)
  return 0
}
