import { parseArgs } from 'node:util'
import type { Terminal } from '@surehand/cli'
import { readConfig } from '../config/read-config.ts'
import { createLog, type Log } from '../log/log.ts'
import type { RunningServer } from '../serve/serve.ts'
import { serve } from '../serve/serve.ts'
import { configuredTools } from '../server-packs.ts'
import { EXIT_UNCAUGHT, handleStrayErrors } from '../stray-errors.ts'
import { VERSION } from '../version.ts'
import { type RunCommand, readOutput } from './with-app.ts'

/** What a program that started the server needs to know; one line, as the server prints no more. */
function startedLine({ app, addresses: { publicUrl }, welcome, links }: RunningServer): string {
  const { adminLink, demoTokens } = welcome
  return `${JSON.stringify({
    version: VERSION,
    url: publicUrl,
    mcp_url: `${publicUrl}/mcp`,
    openapi_url: `${publicUrl}/openapi.json`,
    pid: process.pid,
    tools: configuredTools(app.runtime.tools()).length,
    database: app.config.databaseUrl === undefined ? 'sqlite' : 'postgres',
    data: app.config.data,
    ...(links.length === 0 ? {} : { links }),
    ...(adminLink === undefined ? {} : { sign_in_url: `${publicUrl}/sign-in/${adminLink}` }),
    ...(demoTokens === undefined ? {} : { demo_tokens: demoTokens }),
  })}\n`
}

/** What the terminal shows when the server is up: addresses, tools, and how to connect. */
function welcomeText({
  app,
  addresses: { publicUrl },
  welcome: { adminLink, demoTokens },
  links,
}: RunningServer): string {
  const { config, runtime } = app
  const tools = configuredTools(runtime.tools())
  const database = config.databaseUrl === undefined ? `SQLite in ${config.data}` : 'PostgreSQL'
  const rows: (readonly [string, string])[] = [
    ['page', `${publicUrl}/`],
    ['console', `${publicUrl}/console`],
    ['MCP', `${publicUrl}/mcp`],
    ['HTTP', `${publicUrl}/v1/tools   (described in ${publicUrl}/openapi.json)`],
    [
      'tools',
      tools.length === 0
        ? 'none yet: list packs in surehand.config.ts'
        : `${tools.length}: ${shortList(tools.map(({ id }) => id))}`,
    ],
    ['data', database],
    ...links.map(({ title, url }) => [title, url] as const),
    ...(adminLink === undefined ? [] : [['sign in', `${publicUrl}/sign-in/${adminLink}`] as const]),
  ]
  const lines = rows.map(([name, text]) => `  ${name.padEnd(8)} ${text}`)
  const link =
    adminLink === undefined
      ? []
      : ['', '  The sign-in link is for the first administrator. It works once, within one hour.']
  return [
    '',
    `Surehand ${VERSION} is running.`,
    '',
    ...lines,
    ...link,
    ...(demoTokens === undefined ? [] : demoText(publicUrl, demoTokens)),
    '',
    '',
  ].join('\n')
}

function demoText(
  publicUrl: string,
  { ann, agent }: { readonly ann: string; readonly agent: string },
): string[] {
  return [
    '',
    'Demo shop (no money moves): Ann may buy. When her agent buys, she has to approve it first. Their tokens:',
    '',
    `  ann        ${ann}`,
    `  her agent  ${agent}`,
    '',
    'Call a tool as the agent:',
    '',
    `  curl -s ${publicUrl}/v1/tools/shop.buy/call -H 'Authorization: Bearer ${agent}' \\`,
    `    -H 'Content-Type: application/json' -H 'Idempotency-Key: order-1' -d '{"productId":"tea","quantity":2}'`,
    '',
    `Then open ${publicUrl}/approvals, sign in with Ann's token, and approve. Repeat the call with the same key: it is made only once.`,
    `An MCP client connects to ${publicUrl}/mcp with the agent's token as bearer token.`,
  ]
}

const SHOWN = 6

function shortList(names: readonly string[]): string {
  return names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} …`
}

export const runServe: RunCommand = async (args, terminal, at) => {
  const { words, output } = readOutput(args, terminal)
  const { values } = parseArgs({
    args: [...words],
    options: { port: { type: 'string' }, host: { type: 'string' }, demo: { type: 'boolean' } },
  })
  const demo = values.demo === true ? { demo: true, home: process.env.SUREHAND_HOME ?? 'demo' } : {}
  const overrides = { ...demo, port: values.port, host: values.host, data: at.data }
  const config = await readConfig({
    env: process.env,
    folder: process.cwd(),
    file: at.config,
    overrides,
  })
  const log = createLog(config)
  const serving = await serve(config, log, { demos: config.demo })
  output.stdout.write(output.format === 'json' ? startedLine(serving) : welcomeText(serving))
  log.info({ url: serving.addresses.publicUrl, tools: serving.app.runtime.tools().length }, 'up')
  const exitCode = await waitForEnd(serving, log, terminal)
  await serving.stop()
  return exitCode
}

/**
 * Waits for SIGINT, SIGTERM, or an exception that belongs to no call, and returns the exit code. A
 * second signal ends the process at once; other nodes continue its calls.
 */
function waitForEnd(serving: RunningServer, log: Log, { stderr }: Terminal): Promise<number> {
  return new Promise((resolve) => {
    let isStopping = false
    handleStrayErrors({
      log,
      count: serving.countStrayError,
      onFatal: () => resolve(EXIT_UNCAUGHT),
    })
    const onSignal = (signal: NodeJS.Signals): void => {
      if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
      isStopping = true
      stderr.write(
        '\nStopping after running calls have ended. Press Ctrl-C again to stop at once.\n',
      )
      resolve(0)
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
