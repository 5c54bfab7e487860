import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  decideOn,
  openConsent,
  registerClient,
  signedInBrowser,
  startOAuthServer,
} from '../fixtures/oauth-world.ts'
import type { RunningServer } from '../serve/serve.ts'

const CLIENTS = join(import.meta.dirname, '../../../../surfaces/mcp/clients/node_modules')

let serving: RunningServer
let remote: ChildProcess | undefined
beforeAll(async () => {
  serving = await startOAuthServer()
})
afterAll(async () => {
  remote?.kill()
  await serving.stop()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Runs the official suite against the authorization server, with a person who allows it. */
async function judge(): Promise<string> {
  const { publicUrl: url } = serving.addresses
  const port = await freePort()
  const redirect_uris = [`http://127.0.0.1:${port}/callback`]
  const suite = spawn(process.execPath, [
    join(CLIENTS, '@modelcontextprotocol/conformance/dist/index.js'),
    ...['authorization', '--url', url, '--resource', `${url}/mcp`],
    ...['--client-id', await registerClient(url, { redirect_uris }), '--port', String(port)],
    ...['--output-dir', mkdtempSync(join(tmpdir(), 'surehand-authorization-'))],
  ])
  let said = ''
  let isAsked = false
  const onText = async (text: string): Promise<void> => {
    said += text
    const address = /http:\S+\/oauth\/authorize\?\S*(?=\s)/.exec(said)?.[0]
    if (address === undefined || isAsked || !said.includes('Callback server started')) return
    isAsked = true
    const browser = await signedInBrowser(url, serving.welcome.demoTokens?.ann ?? '')
    await fetch(await decideOn(browser, { address }))
  }
  for (const stream of [suite.stdout, suite.stderr]) stream.setEncoding('utf8').on('data', onText)
  const code = await new Promise((resolve) => suite.once('close', resolve))
  return `${said}\nexit code ${code}`
}

test('the official suite finds nothing wrong with the authorization server', async () => {
  const said = await judge()
  expect(said).toContain('✓ authorization-server-metadata-endpoint: 2 passed, 0 failed')
  expect(said).toContain('✓ authorization-code-grant: 1 passed, 0 failed')
  expect(said).toMatch(/exit code 0$/)
})

test('mcp-remote connects with an address alone', async () => {
  const { publicUrl: url } = serving.addresses
  const home = mkdtempSync(join(tmpdir(), 'surehand-mcp-remote-'))
  const started = spawn(
    process.execPath,
    [join(CLIENTS, 'mcp-remote/dist/proxy.js'), `${url}/mcp`],
    {
      // It opens a browser itself; here there is none to open.
      env: { HOME: home, MCP_REMOTE_CONFIG_DIR: home, PATH: '/nonexistent' },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  remote = started
  const said: string[] = []
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(started.stderr).on('line', (line) => {
      said.push(line)
      const found = /http:\S+\/oauth\/authorize\S*/.exec(line)?.[0]
      if (found !== undefined) resolve(found)
    })
    started.once('exit', (code) => reject(new Error(`It ended with ${code}: ${said.join('\n')}`)))
  })
  const browser = await signedInBrowser(url, serving.welcome.demoTokens?.ann ?? '')
  const { page, seal, text } = await openConsent(browser, { address })
  expect(text).toContain('act for you?')
  const decided = await browser.post(page, { seal, verdict: 'allow' })
  const resumed = await browser.get(decided.headers.get('location') ?? '')
  expect((await fetch(resumed.headers.get('location') ?? '')).status).toBe(200)

  const send = (message: object) =>
    started.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const listed = new Promise<string>((resolve) => {
    createInterface(started.stdout).on('line', (line) => {
      const { id } = JSON.parse(line) as { readonly id?: number }
      if (id === 1) {
        send({ method: 'notifications/initialized' })
        send({ id: 2, method: 'tools/list' })
      }
      if (id === 2) resolve(line)
    })
  })
  const clientInfo = { name: 'tests', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  send({ id: 1, method: 'initialize', params })
  expect(await listed).toContain('shop__price')
})
