import { parseArgs } from 'node:util'
import { serveMcpStdio } from '@surehand/mcp'
import { createApp, resolveLocalCaller } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import { createLog, type Log, logTrouble } from '../log/log.ts'
import { createRequestState } from '../mcp-state.ts'
import { addressesOf } from '../serve/addresses.ts'
import { EXIT_UNCAUGHT, handleStrayErrors } from '../stray-errors.ts'
import { VERSION } from '../version.ts'
import { type RunCommand, readOutput } from './with-app.ts'

export const runMcp: RunCommand = async (args, terminal, at) => {
  const { words, output } = readOutput(args, terminal)
  const { values } = parseArgs({
    args: [...words],
    options: { compact: { type: 'boolean' }, demo: { type: 'boolean' } },
  })
  const overrides = {
    data: at.data,
    ...(values.compact === true ? { mcpMode: 'compact' } : {}),
    ...(values.demo === true ? { demo: true, home: process.env.SUREHAND_HOME ?? 'demo' } : {}),
  }
  const config = await readConfig({
    env: process.env,
    folder: process.cwd(),
    file: at.config,
    overrides,
  })
  const log = createLog(config)
  const app = await createApp(config, {
    onTrouble: logTrouble(log),
    onUnexpectedError: (error, callId) =>
      log.error({ err: error, callId }, 'unexpected error in a call'),
  })
  // The client is a model that acts for the local user: it has the rights of that user's agents.
  const caller = { ...(await resolveLocalCaller(app, at)), actor: 'ai_agent' as const }
  app.startMaintenance()
  app.runtime.start()
  const { publicUrl } = addressesOf(config, config.port)
  const handle = serveMcpStdio({
    runtime: app.runtime,
    caller,
    options: {
      name: 'surehand',
      version: VERSION,
      mode: config.mcpMode,
      approvalUrl: (id) => `${publicUrl}/approvals/${encodeURIComponent(id)}`,
      questionUrl: (id) => `${publicUrl}/questions/${encodeURIComponent(id)}`,
      // The host that started this process; a tenant's policy says whether it may relay approvals.
      hostOf: () => 'stdio',
      requestState: createRequestState(app),
      files: app.imports.files,
    },
  })
  // Standard output belongs to the protocol.
  if (output.format === 'json') {
    const { principal } = caller
    const started = { version: VERSION, principal, tools: app.runtime.tools().length }
    terminal.stderr.write(`${JSON.stringify(started)}\n`)
  }
  const exitCode = await waitForEnd(terminal.stdin, log)
  await handle.close()
  await app.close()
  return exitCode
}

function waitForEnd(stdin: NodeJS.ReadableStream, log: Log): Promise<number> {
  return new Promise((resolve) => {
    handleStrayErrors({ log, onFatal: () => resolve(EXIT_UNCAUGHT) })
    const end = (): void => resolve(0)
    stdin.once('end', end)
    stdin.once('close', end)
    process.once('SIGINT', end)
    process.once('SIGTERM', end)
  })
}
