import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { freePort } from '@surehand/testing/free-port'
import { afterAll, expect, inject, test } from 'vitest'
import {
  askFor,
  callMcp,
  codeForm,
  decideOn,
  mcpStatus,
  openConsent,
  openOAuthServer,
  registerClient,
  requestTokens,
  signedInBrowser,
  startOAuthServer,
} from '../fixtures/oauth-world.ts'
import { startProxy } from '../fixtures/outside-nodes.ts'

const CLIENTS = join(import.meta.dirname, '../../../../surfaces/mcp/clients/node_modules')

const { url, tokens } = await openOAuthServer()
let remote: ChildProcess | undefined
afterAll(() => void remote?.kill())

/** Runs the official suite against the authorization server, with a person who allows it. */
async function judge(): Promise<string> {
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
    const browser = await signedInBrowser(url, tokens.ann)
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
  const browser = await signedInBrowser(url, tokens.ann)
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

test('behind nginx with TLS, every address that a client or a browser is told is the public one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-oauth-nginx-'))
  const [tls, plain] = [await freePort(), await freePort()]
  const url = `https://localhost:${tls}`
  const behind = await startOAuthServer({ publicUrl: url, trustedProxies: 1 })
  const { port } = behind
  const programs = { nginx: inject('nginx'), openssl: inject('openssl') }
  const proxy = await startProxy(programs, { folder, tls, plain, one: port, other: port })
  const trusted = getCACertificates()
  setDefaultCACertificates([proxy.ca])
  try {
    const refused = await callMcp(url, 'nobody', 'tools/list', {})
    expect(refused.headers.get('www-authenticate')).toContain(
      `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
    )
    const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`)
    expect(await metadata.json()).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      registration_endpoint: `${url}/oauth/register`,
    })
    const asked = await askFor(url, await registerClient(url))
    // The server itself hears plain HTTP, and still its cookies are for TLS alone.
    const cookies = (await fetch(asked.address, { redirect: 'manual' })).headers.getSetCookie()
    expect(cookies).not.toEqual([])
    expect(cookies.filter((line) => !/; secure/i.test(line))).toEqual([])
    const browser = await signedInBrowser(url, behind.welcome.demoTokens?.ann ?? '')
    expect((await openConsent(browser, asked)).page).toContain(`${url}/oauth/consent/`)
    const redirected = await decideOn(browser, asked)
    expect(redirected.searchParams.get('iss')).toBe(url)
    const { tokens } = await requestTokens(url, codeForm(asked, redirected))
    expect(await mcpStatus(url, tokens.access_token)).toBe(200)
  } finally {
    setDefaultCACertificates(trusted)
    await proxy.close()
    await behind.stop()
  }
})
