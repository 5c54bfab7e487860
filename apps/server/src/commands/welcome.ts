import type { RunningServer } from '../serve/serve.ts'
import { VERSION } from '../version.ts'

/** What the terminal shows when the server is up: addresses, tools, and how to connect. */
export function welcomeText({
  app,
  addresses: { publicUrl },
  welcome: { adminLink, demoTokens },
}: RunningServer): string {
  const { config, runtime } = app
  const tools = runtime.tools()
  const database = config.databaseUrl === undefined ? `SQLite in ${config.data}` : 'PostgreSQL'
  const rows: (readonly [string, string])[] = [
    ['page', `${publicUrl}/`],
    ['MCP', `${publicUrl}/mcp`],
    ['HTTP', `${publicUrl}/v1/tools   (described in ${publicUrl}/openapi.json)`],
    [
      'tools',
      tools.length === 0
        ? 'none yet: list packs in surehand.config.ts'
        : `${tools.length}: ${shortList(tools.map(({ id }) => id))}`,
    ],
    ['data', database],
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
