import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from '@surehand/egress/testing/certificate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  askFor,
  codeForm,
  decideOn,
  mcpStatus,
  openConsent,
  REDIRECT_URI,
  requestTokens,
  signedInBrowser,
  startOAuthServer,
} from '../fixtures/oauth-world.ts'
import type { RunningServer } from '../serve/serve.ts'

// Clients whose id is the address of a document that describes them.
const trusted = getCACertificates('default')
let publisher: Server
let published: string
let serving: RunningServer
let closed: RunningServer
const asked: string[] = []

beforeAll(async () => {
  const { key, cert } = selfSigned(['127.0.0.1'])
  setDefaultCACertificates([...trusted, cert])
  publisher = createServer({ key, cert }, (request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/moved.json') {
      response.writeHead(302, { location: '/client.json' }).end()
      return
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(documentAt(request.url ?? '')))
  })
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve))
  const { port } = publisher.address() as AddressInfo
  published = `https://127.0.0.1:${port}`
  serving = await startOAuthServer({ privateHosts: [`127.0.0.1:${port}`] })
  closed = await startOAuthServer()
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await Promise.all([serving.stop(), closed.stop()])
  publisher.closeAllConnections()
  await new Promise((resolve) => publisher.close(resolve))
})

function documentAt(path: string): object {
  const described = {
    client_id: `${published}${path}`,
    client_name: 'A published client',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
  }
  switch (path) {
    case '/other.json':
      return { ...described, client_id: `${published}/client.json` }
    case '/large.json':
      return { ...described, client_name: 'x'.repeat(30_000) }
    case '/evil.json':
      return { ...described, redirect_uris: ['javascript:alert(1)'] }
    default:
      return described
  }
}

const browserAt = ({ addresses, welcome }: RunningServer) =>
  signedInBrowser(addresses.publicUrl, welcome.demoTokens?.ann ?? '')

test('a client is known by the document at its id, and the page names who publishes it', async () => {
  const url = serving.addresses.publicUrl
  const browser = await browserAt(serving)
  const request = await askFor(url, `${published}/client.json`)
  const { text } = await openConsent(browser, request)
  expect(text).toContain('A published client')
  expect(text).toContain(`Published by <bdi>${new URL(published).host}</bdi>`)
  const again = await askFor(url, `${published}/client.json`)
  const { tokens } = await requestTokens(url, codeForm(again, await decideOn(browser, again)))
  expect(await mcpStatus(url, tokens.access_token)).toBe(200)
  expect(asked).toEqual(['/client.json'])
})

test.each(['/other.json', '/moved.json', '/large.json', '/evil.json'])(
  'a document is refused that names another client, is elsewhere, too large or unsafe: %s',
  async (path) => {
    const request = await askFor(serving.addresses.publicUrl, `${published}${path}`)
    const answer = await (await browserAt(serving)).get(request.address)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await answer.text()).toContain('cannot be connected')
  },
)

test('a private address is not asked unless the settings allow it', async () => {
  const before = asked.length
  const request = await askFor(closed.addresses.publicUrl, `${published}/private.json`)
  const answer = await (await browserAt(closed)).get(request.address)
  expect(answer.status).toBe(400)
  expect(asked.length).toBe(before)
})
