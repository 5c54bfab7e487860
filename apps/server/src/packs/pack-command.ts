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
  { name, run }: PackCommand,
  args: readonly string[],
  terminal: Terminal,
  withBackend: WithBackend,
): Promise<number> {
  const isJson = args.includes('--json')
  const problems: string[] = []
  // With --json the answers of the tools are printed instead of the words about them.
  const stdout = isJson ? collect([]) : terminal.stdout
  const stderr = isJson ? collect(problems) : terminal.stderr
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
    const isRefused = code !== 0 && answers.length === 0
    if (isJson)
      printJson(terminal, isRefused ? { error: toUsageError(name, problems) } : { answers })
    return isRefused && code === PACK_EXIT_USAGE ? EXIT_USAGE : code
  })
}

// Packs do not know the exit codes of the command line; by an old habit this one is for wrong usage.
const PACK_EXIT_USAGE = 2
const EXIT_USAGE = 64

/** The error of a command that called no tool: its words are wrong, or the file that they name. */
function toUsageError(name: string, problems: readonly string[]): Envelope['error'] {
  return {
    code: 'USAGE',
    message: problems.join('').trim() || `"surehand ${name}" is used differently.`,
    recovery_suggestions: [`surehand help ${name}`],
  }
}

function collect(texts: string[]): Writable {
  return new Writable({
    write(chunk, _, done) {
      texts.push(String(chunk))
      done()
    },
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
