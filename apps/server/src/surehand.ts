import { type AppCommand, type LocalAt, type LocalHouse, processTerminal, runCli, type WithBackend } from '@surehand/cli'
import type { AppRun } from './commands/in-house.ts'
import { USAGES } from './commands/usages.ts'
import { VERSION } from './version.ts'

/** What is loaded when it is asked for: `--help` must not wait for a database driver. */
function lazily(name: keyof typeof USAGES, load: () => Promise<AppRun>): AppCommand {
  return { name, ...USAGES[name], run: async (args, terminal, at) => (await load())(args, terminal, at) }
}

const pm: AppCommand = {
  name: 'pm',
  ...USAGES.pm,
  use: async (args, terminal, withBackend: WithBackend) => (await import('./pm/pm.ts')).runPm(args, terminal, withBackend),
}

const commands: readonly AppCommand[] = [
  pm,
  lazily('serve', async () => (await import('./commands/serve.ts')).runServe),
  lazily('mcp', async () => (await import('./commands/mcp.ts')).runMcp),
  lazily('doctor', async () => (await import('./commands/doctor.ts')).runDoctor),
  lazily('keys', async () => (await import('./commands/keys.ts')).runKeys),
  lazily('principals', async () => (await import('./commands/people.ts')).runPrincipals),
  lazily('tokens', async () => (await import('./commands/people.ts')).runTokens),
  lazily('import', async () => (await import('./commands/import.ts')).runImport),
  lazily('mount', async () => (await import('./commands/import.ts')).runMount),
  lazily('credentials', async () => (await import('./commands/credentials.ts')).runCredentials),
  lazily('webhooks', async () => (await import('./commands/webhooks.ts')).runWebhooks),
  lazily('sign-in', async () => (await import('./commands/people.ts')).runSignIn),
]

async function openLocal(at: LocalAt, tool?: string): Promise<LocalHouse> {
  const [{ readConfig }, { localCaller, openHouse }, { addressesOf }, { machineZone }] = await Promise.all([
    import('./config/read-config.ts'),
    import('./house.ts'),
    import('./serve/addresses.ts'),
    import('./machine-zone.ts'),
  ])
  const config = await readConfig({ env: process.env, folder: process.cwd(), file: at.config, said: { data: at.data }, tool })
  const house = await openHouse(config, { purpose: tool === undefined ? 'all' : 'call' })
  try {
    const { publicUrl } = addressesOf(config, config.port)
    return {
      runtime: house.runtime,
      // whoever sits at this machine has its clock on the wall; who said another zone of themselves keeps it
      caller: { timeZone: machineZone(process.env.TZ), ...(await localCaller(house, at)) },
      audit: house.audit,
      questionUrl: (id) => `${publicUrl}/questions/${encodeURIComponent(id)}`,
      approvalUrl: (id) => `${publicUrl}/approvals/${encodeURIComponent(id)}`,
      close: house.close,
    }
  } catch (thrown) {
    await house.close()
    throw thrown
  }
}

/** Without a house: the keys and heads of its folder say what is believed. */
async function verifyExport(file: string): Promise<unknown> {
  const [{ readConfig }, { trustOf }, { readKeys }, { verifyAuditFile }] = await Promise.all([
    import('./config/read-config.ts'),
    import('./house.ts'),
    import('./keys.ts'),
    import('@surehand/sql'),
  ])
  const config = await readConfig({ env: process.env, folder: process.cwd() })
  return verifyAuditFile(file, trustOf(config, readKeys(config)))
}

process.exitCode = await runCli({
  argv: process.argv.slice(2),
  env: process.env,
  terminal: processTerminal(),
  version: VERSION,
  openLocal,
  verifyExport,
  commands,
})
