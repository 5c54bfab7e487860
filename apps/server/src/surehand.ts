import { type AppCommand, type LocalAt, type LocalHouse, processTerminal, runCli } from '@surehand/cli'
import { VERSION } from './version.ts'

/** What is loaded when it is asked for: `--help` must not wait for a database driver. */
function lazily(name: string, summary: string, usage: string, load: () => Promise<AppCommand>): AppCommand {
  return { name, summary, usage, run: async (args, terminal, at) => (await load()).run(args, terminal, at) }
}

const people = async (name: string): Promise<AppCommand> => {
  const { peopleCommands } = await import('./commands/people.ts')
  const command = peopleCommands.find((candidate) => candidate.name === name)
  if (command === undefined) throw new Error(`There is no command ${name}.`)
  return command
}

const commands: readonly AppCommand[] = [
  lazily(
    'serve',
    'Start the server: HTTP and MCP on one port.',
    'surehand serve [--port 4114] [--host 127.0.0.1] [--demo]',
    async () => (await import('./commands/serve.ts')).serveCommand,
  ),
  lazily(
    'mcp',
    'Speak MCP on stdin and stdout.',
    'surehand mcp [--as PRINCIPAL] [--compact] [--demo]',
    async () => (await import('./commands/mcp.ts')).mcpCommand,
  ),
  lazily(
    'doctor',
    'Say what is on, off and why, and what would mend it.',
    'surehand doctor',
    async () => (await import('./commands/doctor.ts')).doctorCommand,
  ),
  lazily(
    'keys',
    "Make or rotate the house's keys.",
    'surehand keys new|rotate [FILE]',
    async () => (await import('./commands/keys.ts')).keysCommand,
  ),
  lazily('principals', 'Who is known here, and what they may.', 'surehand principals [list|set NAME --role user]', () =>
    people('principals'),
  ),
  lazily('tokens', 'List, make and revoke access tokens.', 'surehand tokens [list|create PRINCIPAL|revoke ID]', () => people('tokens')),
  lazily('sign-in', 'Make a link that signs somebody in once.', 'surehand sign-in PRINCIPAL [--role admin]', () => people('sign-in')),
]

async function openLocal(at: LocalAt): Promise<LocalHouse> {
  const [{ readConfig }, { localCaller, openHouse }, { addressesOf }] = await Promise.all([
    import('./config/read-config.ts'),
    import('./house.ts'),
    import('./serve/addresses.ts'),
  ])
  const config = await readConfig({ env: process.env, folder: process.cwd(), file: at.config, said: { data: at.data } })
  const house = await openHouse(config)
  try {
    const { publicUrl } = addressesOf(config, config.port)
    return {
      runtime: house.runtime,
      caller: await localCaller(house, at),
      audit: house.audit,
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
