import type { LocalTarget, Terminal } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import { type App, createApp, resolveLocalCaller } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import { USAGES } from './usages.ts'

/** A command on a local data folder. */
export type RunCommand = (
  args: readonly string[],
  terminal: Terminal,
  at: LocalTarget,
) => Promise<number>

export type AppWork = (
  app: App,
  by: Caller,
  args: readonly string[],
  terminal: Terminal,
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
    const app = await createApp(config)
    try {
      return await work(app, await who(app, at), args, terminal)
    } finally {
      await app.close()
    }
  }
}

export function printUsage(command: keyof typeof USAGES, stderr: Terminal['stderr']): number {
  stderr.write(`${USAGES[command].usage}\n`)
  return 2
}
