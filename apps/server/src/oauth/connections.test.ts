import { systemClock } from '@surehand/core/ports'
import { systemCaller } from '@surehand/identity'
import { expect, test } from 'vitest'
import { erasePrincipal } from '../commands/principals.ts'
import {
  type CookieBrowser,
  connect,
  mcpStatus,
  openCookieBrowser,
  openOAuthServer,
  ownToken,
  requestTokens,
  signedInBrowser,
} from '../fixtures/oauth-world.ts'
import { createConsents } from './consents.ts'

const { serving, url } = await openOAuthServer()

const signedIn = async (name: string) => signedInBrowser(url, await ownToken(serving, name))

/** What the page of connected clients shows, and the fields of its forms. */
async function openConnections(browser: CookieBrowser) {
  const text = await (await browser.get(`${url}/connections?returned=1`)).text()
  const [, seal = ''] = /name="seal" value="([^"]+)"/.exec(text) ?? []
  const ids = [...text.matchAll(/name="connection" value="([^"]+)"/g)].map(([, id = '']) => id)
  return { text, seal, ids }
}

test('people see the clients that act for them, and end one of them', async () => {
  const browser = await signedIn('frida')
  expect((await openConnections(browser)).text).toContain('No client is connected.')
  const first = await connect(url, browser, { scope: 'shop.read' })
  const second = await connect(url, browser)
  const { text, seal, ids } = await openConnections(browser)
  expect(ids).toHaveLength(2)
  expect(text).toContain('<code>shop.read</code>')
  expect(text).toContain('every tool that you let agents use')
  // The newest is the first of the list.
  expect(text.indexOf(second.client)).toBeLessThan(text.indexOf(first.client))

  const ended = await browser.post(`${url}/connections`, { seal, connection: ids[1] ?? '' })
  expect([ended.status, ended.headers.get('location')]).toEqual([303, '/connections'])
  await expect.poll(() => mcpStatus(url, first.access_token)).toBe(401)
  const { client, refresh_token } = first
  const form = { grant_type: 'refresh_token', client_id: client, refresh_token }
  expect((await requestTokens(url, form)).tokens.error).toBe('invalid_grant')
  expect(await mcpStatus(url, second.access_token)).toBe(200)
  expect((await openConnections(browser)).ids).toEqual([ids[0]])
})

test('a connection is ended by its own person, from this page, and by nobody else', async () => {
  const browser = await signedIn('gregor')
  const { access_token } = await connect(url, browser)
  const { seal, ids } = await openConnections(browser)
  const fields = { seal, connection: ids[0] ?? '' }
  const at = `${url}/connections`
  const other = await signedIn('hanna')
  await connect(url, other)
  const own = await openConnections(other)
  expect(own.ids).not.toContain(fields.connection)
  expect((await other.post(at, { ...fields, seal: own.seal })).status).toBe(404)
  expect((await other.post(at, fields)).status).toBe(403)
  expect((await browser.post(at, { ...fields, seal: 'guessed' })).status).toBe(403)
  expect((await openCookieBrowser().post(at, fields)).status).toBe(401)
  expect(await mcpStatus(url, access_token)).toBe(200)
})

test('erasing a person ends their connections, and nothing that OAuth stored names them', async () => {
  const browser = await signedIn('isolde')
  const { access_token, refresh_token, client } = await connect(url, browser)
  const kept = await connect(url, await signedIn('jakob'))
  const { stores, config } = serving.app
  const readStored = async () =>
    JSON.stringify([
      await stores.values.list(config.home, 'surehand.oauth:'),
      await stores.admin.list(config.home, 'token'),
    ])
  expect(await readStored()).toContain('isolde')
  const keysBefore = (await stores.values.list(config.home, 'surehand.oauth:consents:')).length

  await erasePrincipal(serving.app, systemCaller(config.home), 'isolde')
  const after = await readStored()
  expect(after).not.toContain('isolde')
  expect(after).toContain('jakob')
  expect((await stores.values.list(config.home, 'surehand.oauth:consents:')).length).toBe(
    keysBefore - 1,
  )
  await expect.poll(() => mcpStatus(url, access_token)).toBe(401)
  const form = { grant_type: 'refresh_token', client_id: client, refresh_token }
  expect((await requestTokens(url, form)).tokens.error).toBe('invalid_grant')
  expect(await mcpStatus(url, kept.access_token)).toBe(200)
})

test('a consent that loses every race for the list is not given, and says so', async () => {
  await ownToken(serving, 'konrad')
  const { stores, identity, config } = serving.app
  const consents = createConsents({
    admin: stores.admin,
    // Another request of the same person changes the list between each read and write.
    values: { ...stores.values, replace: async () => false },
    identity,
    clock: systemClock(),
    lifeMs: 60_000,
    resource: `${url}/mcp`,
  })
  const konrad = {
    tenant: config.home,
    principal: 'konrad',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const
  const client = { id: 'a-client', name: 'Tests', scopes: undefined }
  await expect(consents.give(konrad, client)).rejects.toThrow(
    /nothing was allowed to this one\. Connect it again/,
  )
  const left = await stores.admin.list(config.home, 'token')
  expect(left.filter(({ value }) => value.includes('a-client'))).toEqual([])
})
