import { randomUUID } from 'node:crypto'
import {
  type AppCommand,
  exitCodeOf,
  formatTable,
  type LocalTarget,
  printEnvelope,
  screenWidth,
  type Terminal,
  type WithBackend,
} from '@surehand/cli'
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
  const { stdout, stderr } = terminal
  return withBackend((backend) =>
    run({
      args,
      stdout,
      stderr,
      printTable: (headings, rows) =>
        stdout.write(`${formatTable(headings, rows, screenWidth(stdout))}\n`),
      printFailure(envelope) {
        printEnvelope(terminal, envelope, 'words')
        return exitCodeOf(envelope)
      },
      call: (tool, input, key = randomUUID()) =>
        backend.call({
          tool,
          json: JSON.stringify(input),
          key,
          signal: new AbortController().signal,
          onProgress: () => undefined,
        }),
    }),
  )
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
