import { existsSync } from 'node:fs'
import { type LocalTarget, printJson, type Terminal, UsageError } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import { type App, createApp, resolveLocalCaller } from '../app.ts'
import { ConfigError } from '../config/config-error.ts'
import { type Config, readConfig } from '../config/read-config.ts'
import { USAGES } from './usages.ts'

/** A command on a local data folder. */
export type RunCommand = (
  args: readonly string[],
  terminal: Terminal,
  at: LocalTarget,
) => Promise<number>

/** Where a command answers: in words for a person, or with `--json` as one JSON value. */
export type Output = Terminal & { readonly format: 'json' | 'words' }

export type AppWork = (
  app: App,
  by: Caller,
  args: readonly string[],
  output: Output,
) => Promise<number>

/** Runs a command as the system caller of the tenant. */
export function asSystem(work: AppWork): RunCommand {
  return withApp(work, async (app, at) => systemCaller(at.tenant ?? app.config.home))
}

/** Runs a command as a principal, whose name is recorded with the change. */
export function asPrincipal(work: AppWork): RunCommand {
  return withApp(work, resolveLocalCaller)
}

function withApp(work: AppWork, who: (app: App, at: LocalTarget) => Promise<Caller>): RunCommand {
  return async (args, terminal, at: LocalTarget) => {
    const config = await readConfig({
      env: process.env,
      folder: process.cwd(),
      file: at.config,
      overrides: { data: at.data },
    })
    requireData(config)
    const app = await createApp(config, { writer: 'calling-thread' })
    try {
      const { words, output } = readOutput(args, terminal)
      return await work(app, await who(app, at), words, output)
    } finally {
      await app.close()
    }
  }
}

/** The words of a command without `--json`, and where it answers. */
export function readOutput(
  args: readonly string[],
  terminal: Terminal,
): { readonly words: readonly string[]; readonly output: Output } {
  const format = args.includes('--json') ? 'json' : 'words'
  return {
    words: args.filter((word) => word !== '--json'),
    // Inherits the terminal, whose streams are opened on first use.
    output: Object.assign(Object.create(terminal) as Terminal, { format } as const),
  }
}

/** Prints what a command answers; `note` is for a person and goes to standard error. */
export function printAnswer(
  output: Output,
  answer: { readonly data: unknown; readonly text: string; readonly note?: string },
): void {
  if (output.format === 'json') {
    printJson(output, answer.data)
    return
  }
  output.stdout.write(answer.text)
  if (answer.note !== undefined) output.stderr.write(answer.note)
}

/**
 * Refuses to work in a folder in which nothing was set up: an empty store, made without a word,
 * looks like one whose data were lost.
 */
export function requireData(config: Config): void {
  if (isSetUp(config)) return
  const { data } = config
  throw new ConfigError(
    [
      `There is no data in ${data}, and no surehand.config.ts in this folder.`,
      'Set up an app with "surehand init", try the tools of "surehand serve --demo",',
      'name a data folder with --data DIR, or a server with "surehand profile add NAME --url URL".',
    ].join(' '),
  )
}

/** Whether an app was set up here: by a file, by the environment, or by an earlier command. */
export function isSetUp({ data, file, sources, databaseUrl }: Config): boolean {
  return file !== undefined || databaseUrl !== undefined || sources.size > 0 || existsSync(data)
}

/** The error of a command that was used wrongly. */
export function wrongUsage(command: keyof typeof USAGES): UsageError {
  return new UsageError(`"surehand ${command}" is used differently.`, USAGES[command].usage)
}
