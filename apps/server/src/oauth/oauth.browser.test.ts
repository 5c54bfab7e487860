import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { systemCaller } from '@surehand/identity'
import { launch } from '@surehand/testing/fixtures/launch.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { DESKTOP, judgePage, signIn } from '../fixtures/browser-app.ts'
import { startOAuthServer } from '../fixtures/oauth-world.ts'
import type { RunningServer } from '../serve/serve.ts'

// The server is on 127.0.0.1 and everything else on localhost: for a browser these are two sites.
let site: Site
let serving: RunningServer
let browser: Browser
let ann: string
const complaints: string[] = []

beforeAll(async () => {
  site = await openSite()
  serving = await startOAuthServer({ privateHosts: [new URL(site.url).host] })
  browser = await launch(inject('chromium'))
  ann = serving.welcome.demoTokens?.ann ?? ''
})
afterAll(async () => {
  await browser.close()
  await serving.stop()
  await new Promise((resolve) => site.server.close(resolve))
})

type Site = {
  readonly server: Server
  readonly url: string
  /** Where the link on the site's first page leads. */
  link: string
  /** The address of the last request to the client's callback. */
  returned: URL | undefined
}

/** Another site: a page with a link, the callback of a client, and a vendor's OAuth server. */
async function openSite(): Promise<Site> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', site.url)
    switch (url.pathname) {
      case '/start':
        response.setHeader('content-type', 'text/html')
        response.end(`<a href="${site.link.replaceAll('&', '&amp;')}">Connect</a>`)
        return
      case '/callback':
        site.returned = url
        response.end('You may close this window.')
        return
      case '/vendor/authorize': {
        const back = new URL(url.searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('code', 'a-vendors-code')
        back.searchParams.set('state', url.searchParams.get('state') ?? '')
        response.writeHead(302, { location: back.href }).end()
        return
      }
      case '/vendor/token':
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({ access_token: 'a-vendors-token', token_type: 'bearer', expires_in: 60 }),
        )
        return
      default:
        response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return { server, url, link: '', returned: undefined }
}

async function openPage(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: DESKTOP, ...options })
  context.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  return context.newPage()
}

/** What the official client keeps while it connects with nothing but an address. */
function rememberingProvider(): OAuthClientProvider {
  const kept: Record<string, never> = {}
  const keep = (name: string) => (value: unknown) => {
    kept[name] = value as never
  }
  return {
    redirectUrl: `${site.url}/callback`,
    clientMetadata: { client_name: 'The official client', redirect_uris: [`${site.url}/callback`] },
    clientInformation: () => kept.client,
    saveClientInformation: keep('client'),
    tokens: () => kept.tokens,
    saveTokens: keep('tokens'),
    discoveryState: () => kept.discovery,
    saveDiscoveryState: keep('discovery'),
    redirectToAuthorization: (url) => {
      site.link = url.href
    },
    saveCodeVerifier: keep('verifier'),
    codeVerifier: () => kept.verifier as unknown as string,
  }
}

async function connectWith(decide: (page: Page) => Promise<void>, page: Page): Promise<Client> {
  const at = new URL(`${serving.addresses.publicUrl}/mcp`)
  const authProvider = rememberingProvider()
  const first = new StreamableHTTPClientTransport(at, { authProvider })
  const refused = new Client({ name: 'tests', version: '1.0.0' }).connect(first)
  await expect(refused).rejects.toThrow(UnauthorizedError)
  await page.goto(`${site.url}/start`)
  await page.getByRole('link', { name: 'Connect' }).click()
  await decide(page)
  await page.waitForURL(`${site.url}/callback?*`)
  await first.finishAuth(site.returned?.searchParams ?? new URLSearchParams())
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(at, { authProvider }))
  return client
}

test('the official client connects with an address alone: a person signs in and allows it', async () => {
  const page = await openPage()
  const client = await connectWith(async () => {
    await page.getByLabel('Your access token').fill(ann)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const shown = page.getByRole('main')
    await shown.getByText('An MCP client wants to connect').waitFor()
    const text = await shown.textContent()
    for (const part of ['The official client', 'ann in home', 'every tool', 'localhost:'])
      expect(text).toContain(part)
    await judgePage(page, 'page-consent')
    await page.getByRole('button', { name: 'Allow' }).click()
  }, page)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('shop__price')
  await client.close()
  await page.goto(`${serving.addresses.publicUrl}/connections`)
  await page.getByRole('button', { name: 'End the connection of The official client' }).waitFor()
  await judgePage(page, 'page-connections')
  expect(complaints).toEqual([])
})

test('who is signed in is asked at once, though the browser came from another site', async () => {
  const page = await openPage({ javaScriptEnabled: false })
  await signIn(page, `${serving.addresses.publicUrl}/approvals`, ann)
  const client = await connectWith(() => page.getByRole('button', { name: 'Allow' }).click(), page)
  expect((await client.listTools()).tools.length).toBeGreaterThan(0)
  await client.close()
  expect(complaints).toEqual([])
})

test('the consent at a vendor on another site is finished in the browser', async () => {
  const by = systemCaller('home')
  await serving.app.imports.credentials.put(by, 'vendor', {
    kind: 'authorizationCode',
    origins: [site.url],
    tokenUrl: `${site.url}/vendor/token`,
    authorizeUrl: `${site.url}/vendor/authorize`,
    clientId: 'surehand',
    for: 'principal',
  })
  const page = await openPage()
  await signIn(page, `${serving.addresses.publicUrl}/credentials/vendor`, ann)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Grant the permission there' }).click()
  await page.getByText('Tools may now act for you').waitFor()
  expect(complaints).toEqual([])
})
