import {
  type AppCommand,
  type LocalTarget,
  processTerminal,
  runCli,
  type Terminal,
  type WithBackend,
} from '@surehand/cli'
import { USAGES } from './commands/usages.ts'
import type { RunCommand } from './commands/with-app.ts'
import { BUILT_IN_PACKS } from './config/built-in.ts'
import { VERSION } from './version.ts'

const LINGER_MS = 1_000

/** A command whose code is loaded when it runs: `--help` must not wait for a database driver. */
function loadLazily(name: keyof typeof USAGES, load: () => Promise<RunCommand>): AppCommand {
  return {
    name,
    ...USAGES[name],
    run: async (args, terminal, at) => (await load())(args, terminal, at),
  }
}

const pm: AppCommand = {
  name: 'pm',
  ...USAGES.pm,
  use: async (args, terminal, withBackend: WithBackend) =>
    (await import('./pm/pm.ts')).runPm(args, terminal, withBackend),
}

const packCommands: readonly AppCommand[] = Object.values(BUILT_IN_PACKS).flatMap(
  ({ commands = [], load }) =>
    commands.map((listed) => ({
      ...listed,
      use: async (args: readonly string[], terminal: Terminal, withBackend: WithBackend) => {
        const command = (await load()).commands.find(({ name }) => name === listed.name)
        if (command === undefined) throw new TypeError(`No pack has the command ${listed.name}.`)
        const { runPackCommand } = await import('./packs/pack-command.ts')
        return runPackCommand(command, args, terminal, withBackend)
      },
    })),
)

const commands: readonly AppCommand[] = [
  pm,
  ...packCommands,
  loadLazily('serve', async () => (await import('./commands/serve.ts')).runServe),
  loadLazily('init', async () => (await import('./commands/init.ts')).runInit),
  loadLazily('dev', async () => (await import('./commands/dev.ts')).runDev),
  loadLazily('mcp', async () => (await import('./commands/mcp.ts')).runMcp),
  loadLazily('migrate', async () => (await import('./commands/migrate.ts')).runMigrate),
  loadLazily('doctor', async () => (await import('./commands/doctor.ts')).runDoctor),
  loadLazily('keys', async () => (await import('./commands/keys.ts')).runKeys),
  loadLazily('principals', async () => (await import('./commands/principals.ts')).runPrincipals),
  loadLazily('tokens', async () => (await import('./commands/principals.ts')).runTokens),
  loadLazily('import', async () => (await import('./commands/import.ts')).runImport),
  loadLazily('mount', async () => (await import('./commands/import.ts')).runMount),
  loadLazily('adopt', async () => (await import('./commands/adopt.ts')).runAdopt),
  loadLazily('programs', async () => (await import('./commands/programs.ts')).runPrograms),
  loadLazily('credentials', async () => (await import('./commands/credentials.ts')).runCredentials),
  loadLazily('webhooks', async () => (await import('./commands/webhooks.ts')).runWebhooks),
  loadLazily(
    'notifications',
    async () => (await import('./commands/notifications.ts')).runNotifications,
  ),
  loadLazily('sign-in', async () => (await import('./commands/principals.ts')).runSignIn),
]

/**
 * Verifies an exported audit with the public keys and tree heads of the data folder, without
 * opening the app.
 */
async function verifyExport(file: string, at: LocalTarget): Promise<unknown> {
  const [{ readConfig }, { readAuditTrust }, { readKeys }, { verifyAuditFile }] = await Promise.all(
    [
      import('./config/read-config.ts'),
      import('./audit.ts'),
      import('./keys.ts'),
      import('@surehand/sql/verify'),
    ],
  )
  const config = await readConfig({
    env: process.env,
    folder: process.cwd(),
    file: at.config,
    overrides: { data: at.data },
  })
  return verifyAuditFile(file, readAuditTrust(config, readKeys(config)))
}

// Node's exit code for a program whose top-level work never settled; replaced when the command
// ends.
process.exitCode = 13
// Everything is written and closed by then: exiting at once skips the tear-down of the heap.
process.once('beforeExit', () => process.exit())
const terminal = processTerminal()
// Not awaited: the bundle is CommonJS, which has no top-level await.
void runCli({
  argv: process.argv.slice(2),
  env: process.env,
  terminal,
  version: VERSION,
  openLocal: async (at, tool) => (await import('./open-local-app.ts')).openLocalApp(at, tool),
  verifyExport,
  commands,
  findCommand: async (name, at) =>
    (await import('./packs/pack-command.ts')).findPackCommand(name, at),
}).then(async (code) => {
  process.exitCode = code
  // Wait for a slow reader of the pipe.
  await terminal.written?.()
  // A tool function that timed out may still have timers open; the process does not wait for them.
  setTimeout(() => process.exit(), LINGER_MS).unref()
})
