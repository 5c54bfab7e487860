import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import {
  type AppCommand,
  exitCodeOf,
  formatTable,
  type LocalTarget,
  printEnvelope,
  printJson,
  screenWidth,
  type Terminal,
  type WithBackend,
} from '@surehand/cli'
import type { Envelope } from '@surehand/core'
import type { PackCommand } from '@surehand/core/host'
import { readConfig } from '../config/read-config.ts'

/** A command of a pack as the command line runs it: its tools are called through the backend. */
export function toAppCommand(command: PackCommand): AppCommand {
  const { name, summary, usage } = command
  return {
    name,
    summary,
    usage,
    use: (args, terminal, withBackend) => runPackCommand(command, args, terminal, withBackend),
  }
}

export function runPackCommand(
  { run }: PackCommand,
  args: readonly string[],
  terminal: Terminal,
  withBackend: WithBackend,
): Promise<number> {
  const { stderr } = terminal
  const isJson = args.includes('--json')
  // With --json the answers of the tools are printed instead of the words about them.
  const stdout = isJson ? new Writable({ write: (_, __, done) => done() }) : terminal.stdout
  return withBackend(async (backend) => {
    const answers: Envelope[] = []
    const code = await run({
      args: args.filter((word) => word !== '--json'),
      stdout,
      stderr,
      printTable: (headings, rows) =>
        stdout.write(`${formatTable(headings, rows, screenWidth(stdout))}\n`),
      printFailure(envelope) {
        if (!isJson) printEnvelope(terminal, envelope, 'words')
        return exitCodeOf(envelope)
      },
      async call(tool, input, key = randomUUID()) {
        const answer = await backend.call({
          tool,
          json: JSON.stringify(input),
          key,
          signal: new AbortController().signal,
          onProgress: () => undefined,
        })
        answers.push(answer)
        return answer
      },
    })
    if (isJson) printJson(terminal, { answers })
    return code
  })
}

/** Looks for a command in the packs of the configuration. */
export async function findPackCommand(
  name: string,
  at: LocalTarget,
): Promise<AppCommand | undefined> {
  const { packs } = await readConfig({
    env: process.env,
    folder: process.cwd(),
    file: at.config,
    overrides: { data: at.data },
  })
  const found = packs.flatMap(({ commands }) => commands).find((command) => command.name === name)
  return found === undefined ? undefined : toAppCommand(found)
}
