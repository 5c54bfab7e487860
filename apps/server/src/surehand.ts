import { type AppCommand, processTerminal, runCli, type WithBackend } from '@surehand/cli'
import { USAGES } from './commands/usages.ts'
import type { RunCommand } from './commands/with-app.ts'
import { VERSION } from './version.ts'

const LINGER_MS = 1_000

/** What is loaded when it is asked for: `--help` must not wait for a database driver. */
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

const commands: readonly AppCommand[] = [
  pm,
  loadLazily('serve', async () => (await import('./commands/serve.ts')).runServe),
  loadLazily('mcp', async () => (await import('./commands/mcp.ts')).runMcp),
  loadLazily('doctor', async () => (await import('./commands/doctor.ts')).runDoctor),
  loadLazily('keys', async () => (await import('./commands/keys.ts')).runKeys),
  loadLazily('principals', async () => (await import('./commands/people.ts')).runPrincipals),
  loadLazily('tokens', async () => (await import('./commands/people.ts')).runTokens),
  loadLazily('import', async () => (await import('./commands/import.ts')).runImport),
  loadLazily('mount', async () => (await import('./commands/import.ts')).runMount),
  loadLazily('credentials', async () => (await import('./commands/credentials.ts')).runCredentials),
  loadLazily('webhooks', async () => (await import('./commands/webhooks.ts')).runWebhooks),
  loadLazily('sign-in', async () => (await import('./commands/people.ts')).runSignIn),
]

/** Without an app: the keys and heads of its folder say what is believed. */
async function verifyExport(file: string): Promise<unknown> {
  const [{ readConfig }, { readAuditTrust }, { readKeys }, { verifyAuditFile }] = await Promise.all(
    [
      import('./config/read-config.ts'),
      import('./app.ts'),
      import('./keys.ts'),
      import('@surehand/sql'),
    ],
  )
  const config = await readConfig({ env: process.env, folder: process.cwd() })
  return verifyAuditFile(file, readAuditTrust(config, readKeys(config)))
}

// what Node says of a program whose work never ended: no success
process.exitCode = 13
// all is written and closed by then: taking the heap down piece by piece would be for nobody
process.once('beforeExit', () => process.exit())
const terminal = processTerminal()
// not awaited here: a bundle for `require` has no waiting at its top
void runCli({
  argv: process.argv.slice(2),
  env: process.env,
  terminal,
  version: VERSION,
  openLocal: async (at, tool) => (await import('./open-local-app.ts')).openLocalApp(at, tool),
  verifyExport,
  commands,
}).then(async (code) => {
  process.exitCode = code
  // who reads slowly is waited for
  await terminal.written?.()
  // a function that was given up may wait for an hour yet, and nobody waits for it
  setTimeout(() => process.exit(), LINGER_MS).unref()
})
