import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type JwtCallers, jwtCallers } from './jwt-callers.ts'

const ISSUER = 'https://issuer.example'
const AUDIENCE = 'surehand'
const nowMs = Date.parse('2026-02-01T10:00:00Z')
const clock = { now: () => nowMs, ticks: () => nowMs, after: () => () => undefined }

let server: Server
let fetches = 0
let callers: JwtCallers
let keys: Awaited<ReturnType<typeof generateKeyPair>>
let strangers: Awaited<ReturnType<typeof generateKeyPair>>

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true })
  strangers = await generateKeyPair('RS256', { extractable: true })
  const jwks = JSON.stringify({
    keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }],
  })
  server = createServer((_, response) => {
    fetches++
    response.setHeader('content-type', 'application/json').end(jwks)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  callers = callersAt()
})

afterAll(() => {
  server.close()
})

function callersAt(): JwtCallers {
  return jwtCallers({
    issuer: ISSUER,
    audience: AUDIENCE,
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    clock,
    callerFrom: ({ sub, house, roles }) =>
      typeof house === 'string' && sub !== undefined
        ? {
            tenant: house,
            principal: sub,
            actor: 'user',
            roles: roles as string[],
            capabilities: [],
          }
        : undefined,
  })
}

const CLAIMS = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'ann',
  house: 'acme',
  roles: ['user'],
  jti: 'j1',
  exp: nowMs / 1000 + 300,
}

function signed(
  claims: JWTPayload,
  options: { readonly key?: typeof keys.privateKey; readonly kid?: string } = {},
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: options.kid ?? 'k1' })
    .sign(options.key ?? keys.privateKey)
}

describe('a signed token of the issuer', () => {
  test('says who is calling, by the mapping that was handed in', async () => {
    expect((await callers.read(await signed(CLAIMS)))?.caller).toEqual({
      tenant: 'acme',
      principal: 'ann',
      actor: 'user',
      roles: ['user'],
      capabilities: [],
      session: 'jwt:j1',
    })
  })

  test('a little late is taken, much later is not', async () => {
    expect(await callers.read(await signed({ ...CLAIMS, exp: nowMs / 1000 - 10 }))).toBeDefined()
    expect(await callers.read(await signed({ ...CLAIMS, exp: nowMs / 1000 - 31 }))).toBeUndefined()
    expect(await callers.read(await signed({ ...CLAIMS, nbf: nowMs / 1000 + 60 }))).toBeUndefined()
  })

  test.each([
    ['for another audience', { ...CLAIMS, aud: 'somebody-else' }],
    ['of another issuer', { ...CLAIMS, iss: 'https://evil.example' }],
    ['that never ends', { ...CLAIMS, exp: undefined }],
    ['of nobody', { ...CLAIMS, sub: undefined }],
    ['that names no house', { ...CLAIMS, house: undefined }],
  ])('%s is nobody', async (_, claims) => {
    expect(await callers.read(await signed(JSON.parse(JSON.stringify(claims))))).toBeUndefined()
  })

  test('keys are fetched once, and an unknown key id does not fetch again within the cool-down', async () => {
    const fresh = callersAt()
    const before = fetches
    await fresh.read(await signed(CLAIMS))
    for (const kid of ['x1', 'x2', 'x3'])
      expect(await fresh.read(await signed(CLAIMS, { kid }))).toBeUndefined()
    expect(fetches - before).toBe(1)
  })
})

describe('a forged token', () => {
  test('signed by somebody else is nobody', async () => {
    expect(await callers.read(await signed(CLAIMS, { key: strangers.privateKey }))).toBeUndefined()
  })

  test('with the algorithm none is nobody', async () => {
    expect(await callers.read(new UnsecuredJWT(CLAIMS).encode())).toBeUndefined()
  })

  test('with the public key taken for a shared secret is nobody', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(keys.publicKey))
    const swapped = await new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(secret)
    expect(await callers.read(swapped)).toBeUndefined()
  })

  test('with an algorithm that is off the list is nobody, though the key is right', async () => {
    const odd = await new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: 'PS256', kid: 'k1' })
      .sign(
        await crypto.subtle.importKey(
          'jwk',
          await exportJWK(keys.privateKey),
          { name: 'RSA-PSS', hash: 'SHA-256' },
          true,
          ['sign'],
        ),
      )
    expect(await callers.read(odd)).toBeUndefined()
  })

  test('changed after signing, cut or endless is nobody', async () => {
    const token = await signed(CLAIMS)
    const [head, , signature] = token.split('.')
    const body = Buffer.from(JSON.stringify({ ...CLAIMS, sub: 'root' })).toString('base64url')
    expect(await callers.read(`${head}.${body}.${signature}`)).toBeUndefined()
    expect(await callers.read(token.slice(0, -10))).toBeUndefined()
    expect(await callers.read('a'.repeat(100_000))).toBeUndefined()
  })
})

test('while the keys are out of reach nobody is let in, and it is told as trouble', async () => {
  const options = { issuer: ISSUER, audience: AUDIENCE, clock, callerFrom: () => undefined }
  const lost = jwtCallers({
    ...options,
    jwksUrl: 'https://x.example',
    get: async () => new Response('gone', { status: 500 }),
  })
  await expect(lost.read(await signed(CLAIMS))).rejects.toMatchObject({
    code: 'TOOL_RESOURCE_UNAVAILABLE',
  })
})

test('a list of algorithms with a symmetric one does not start', () => {
  const options = {
    issuer: ISSUER,
    audience: AUDIENCE,
    jwksUrl: 'https://x.example',
    clock,
    callerFrom: () => undefined,
  }
  // @ts-expect-error it does not compile either
  expect(() => jwtCallers({ ...options, algorithms: ['HS256'] })).toThrow('HS256')
})
