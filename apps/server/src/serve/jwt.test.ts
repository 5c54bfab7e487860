import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDemoConfig } from '../fixtures/demo-config.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from './serve.ts'

const CLAIMS = { tenant: 'home', roles: ['user'] }
const keys = await generateKeyPair('RS256', { extractable: true })
const others = await generateKeyPair('RS256', { extractable: true })
let serving: RunningServer
let closeIssuer: () => void

beforeAll(async () => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const issuer = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] })),
  )
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
  closeIssuer = () => void issuer.close()
  const jwksUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`
  const jwt = JSON.stringify({ issuer: 'https://issuer.example', audience: 'surehand', jwksUrl })
  const env = {
    SUREHAND_PORT: '0',
    SUREHAND_LOG_LEVEL: 'silent',
    SUREHAND_JWT: jwt,
  }
  const config = await readDemoConfig({ env, folder: mkdtempSync(join(tmpdir(), 'surehand-jwt-')) })
  serving = await serve(config, createLog(config))
})

afterAll(async () => {
  await serving.stop()
  closeIssuer()
})

function signToken(
  claims: Record<string, unknown> = {},
  more: { audience?: string; issuer?: string; expires?: string; key?: typeof keys.privateKey } = {},
): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setSubject(String(claims.sub ?? 'ann@issuer.example'))
    .setIssuer(more.issuer ?? 'https://issuer.example')
    .setAudience(more.audience ?? 'surehand')
    .setExpirationTime(more.expires ?? '5m')
    .sign(more.key ?? keys.privateKey)
}

/** By both doors: what one refuses the other must not let in. */
async function statuses(token: string): Promise<readonly number[]> {
  const { publicUrl } = serving.addresses
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const http = await fetch(`${publicUrl}/v1/tools/shop.price/call`, {
    method: 'POST',
    headers,
    body: '{"productId":"tea"}',
  })
  const mcp = await fetch(`${publicUrl}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  return [http.status, mcp.status]
}

describe("an issuer's token", () => {
  test('opens both doors to whom it names', async () => {
    expect(await statuses(await signToken())).toEqual([200, 200])
  })

  test.each<readonly [string, () => string | Promise<string>]>([
    ['for somebody else', () => signToken({}, { audience: 'other' })],
    ['of another issuer', () => signToken({}, { issuer: 'https://evil.example' })],
    ['that has run out', () => signToken({}, { expires: '-5m' })],
    ['signed with another key', () => signToken({}, { key: others.privateKey })],
    [
      'that is not signed',
      () =>
        new UnsecuredJWT(CLAIMS)
          .setSubject('ann')
          .setIssuer('https://issuer.example')
          .setAudience('surehand')
          .setExpirationTime('5m')
          .encode(),
    ],
    [
      'signed with the public key as a shared secret',
      async () =>
        new SignJWT(CLAIMS)
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .setSubject('ann')
          .setIssuer('https://issuer.example')
          .setAudience('surehand')
          .setExpirationTime('5m')
          .sign(new TextEncoder().encode(await exportSPKI(keys.publicKey))),
    ],
    ['that names no tenant', () => signToken({ tenant: undefined })],
    ['of a tenant that is not here', () => signToken({ tenant: 'elsewhere' })],
    [
      'of this app, forged',
      () => 'sh_aG9tZQ_01m7f73krk91weva2fnk000001_0ZxQbdBjBwGSQU2R2Ul9x6tKW26MZ7v0NN6yQmsbvAo',
    ],
  ])('%s opens neither', async (_, make) => {
    expect(await statuses(await make())).toEqual([401, 401])
  })

  test('signs its person in at the pages, until it runs out; an agent is not let in there', async () => {
    const { publicUrl } = serving.addresses
    const signIn = async (token: string): Promise<Response> =>
      fetch(`${publicUrl}/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token, next: '/approvals' }),
      })
    const [cookie = ''] =
      (await signIn(await signToken({}, { expires: '2s' }))).headers
        .get('set-cookie')
        ?.split(';') ?? []
    const approvals = (): Promise<Response> =>
      fetch(`${publicUrl}/approvals`, { headers: { cookie } })
    expect((await approvals()).status).toBe(200)
    await expect.poll(async () => (await approvals()).status, { interval: 200 }).toBe(401)
    expect((await signIn(await signToken({ act: { sub: 'bot' } }))).status).toBe(401)
  })

  test('an agent acts with what it was handed: it cannot administer', async () => {
    const headers = {
      authorization: `Bearer ${await signToken({ roles: ['admin'], act: { sub: 'bot' } })}`,
    }
    expect((await fetch(`${serving.addresses.publicUrl}/v1/audit`, { headers })).status).toBe(403)
    const person = { authorization: `Bearer ${await signToken({ roles: ['admin'] })}` }
    expect(
      (await fetch(`${serving.addresses.publicUrl}/v1/audit`, { headers: person })).status,
    ).toBe(200)
  })

  test.each<readonly [string, Record<string, unknown>, number]>([
    ['no scope', {}, 200],
    ['scopes of the issuer only', { scope: 'openid profile' }, 200],
    ['a scope', { scope: 'shop.read' }, 403],
    ['a scope beside those of the issuer', { scope: 'openid shop.read' }, 403],
    ['an empty scope', { scope: '' }, 403],
    ['the scope as Entra ID writes it', { scp: 'shop.read' }, 403],
    ['the scope as Okta writes it', { scp: ['openid', 'shop.read'] }, 403],
    ['two claims, of which one is narrow', { scope: '*', scp: ['shop.read'] }, 403],
    ['a scope that is no text', { scope: ['*'] }, 401],
    ['a subject that cannot be disabled', { sub: 'ann smith' }, 401],
    ['the subject of the server itself', { sub: 'system' }, 401],
  ])('of an administrator with %s reads the audit accordingly', async (_, claims, status) => {
    const token = await signToken({ roles: ['admin'], ...claims })
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${serving.addresses.publicUrl}/v1/audit`, { headers })).status).toBe(
      status,
    )
  })
})
