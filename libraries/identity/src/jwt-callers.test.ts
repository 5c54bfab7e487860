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
import { createJwtCallers, type JwtCallers } from './jwt-callers.ts'

const ISSUER = 'https://issuer.example'
const AUDIENCE = 'surehand'
const nowMs = Date.parse('2026-02-01T10:00:00Z')
const clock = { now: () => nowMs, ticks: () => nowMs, after: () => () => undefined }

let server: Server
let fetches = 0
let callers: JwtCallers
let keys: Awaited<ReturnType<typeof generateKeyPair>>
let otherKeys: Awaited<ReturnType<typeof generateKeyPair>>

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true })
  otherKeys = await generateKeyPair('RS256', { extractable: true })
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
  return createJwtCallers({
    issuer: ISSUER,
    audience: AUDIENCE,
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    clock,
    callerFrom: ({ sub, org, roles }) =>
      typeof org === 'string' && sub !== undefined
        ? {
            tenant: org,
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
  org: 'acme',
  roles: ['user'],
  jti: 'j1',
  exp: nowMs / 1000 + 300,
}

function signToken(
  claims: JWTPayload,
  options: { readonly key?: typeof keys.privateKey; readonly kid?: string } = {},
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: options.kid ?? 'k1' })
    .sign(options.key ?? keys.privateKey)
}

describe('a signed token of the issuer', () => {
  test('identifies the caller by the configured mapping', async () => {
    expect((await callers.read(await signToken(CLAIMS)))?.caller).toEqual({
      tenant: 'acme',
      principal: 'ann',
      actor: 'user',
      roles: ['user'],
      capabilities: [],
      session: 'jwt:j1',
    })
  })

  test('is accepted shortly after its expiry, and refused later', async () => {
    expect(await callers.read(await signToken({ ...CLAIMS, exp: nowMs / 1000 - 10 }))).toBeDefined()
    expect(
      await callers.read(await signToken({ ...CLAIMS, exp: nowMs / 1000 - 31 })),
    ).toBeUndefined()
    expect(
      await callers.read(await signToken({ ...CLAIMS, nbf: nowMs / 1000 + 60 })),
    ).toBeUndefined()
  })

  test.each([
    ['for another audience', { ...CLAIMS, aud: 'another-audience' }],
    ['of another issuer', { ...CLAIMS, iss: 'https://evil.example' }],
    ['that never ends', { ...CLAIMS, exp: undefined }],
    ['without a subject', { ...CLAIMS, sub: undefined }],
    ['without a tenant', { ...CLAIMS, org: undefined }],
  ])('%s is refused', async (_, claims) => {
    expect(await callers.read(await signToken(JSON.parse(JSON.stringify(claims))))).toBeUndefined()
  })

  test('makes the keys be fetched once, and an unknown key id does not fetch them again within the cool-down', async () => {
    const fresh = callersAt()
    const before = fetches
    await fresh.read(await signToken(CLAIMS))
    for (const kid of ['x1', 'x2', 'x3'])
      expect(await fresh.read(await signToken(CLAIMS, { kid }))).toBeUndefined()
    expect(fetches - before).toBe(1)
  })
})

describe('a forged token', () => {
  test('signed with another key is refused', async () => {
    expect(
      await callers.read(await signToken(CLAIMS, { key: otherKeys.privateKey })),
    ).toBeUndefined()
  })

  test('with the algorithm none is refused', async () => {
    expect(await callers.read(new UnsecuredJWT(CLAIMS).encode())).toBeUndefined()
  })

  test('that uses the public key as a shared secret is refused', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(keys.publicKey))
    const swapped = await new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(secret)
    expect(await callers.read(swapped)).toBeUndefined()
  })

  test('with an algorithm that is not on the list is refused, although the key is right', async () => {
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

  test('that was changed, cut or is far too long is refused', async () => {
    const token = await signToken(CLAIMS)
    const [head, , signature] = token.split('.')
    const body = Buffer.from(JSON.stringify({ ...CLAIMS, sub: 'root' })).toString('base64url')
    expect(await callers.read(`${head}.${body}.${signature}`)).toBeUndefined()
    expect(await callers.read(token.slice(0, -10))).toBeUndefined()
    expect(await callers.read('a'.repeat(100_000))).toBeUndefined()
  })
})

test('while the keys cannot be fetched, every token fails with an error of the server', async () => {
  const options = { issuer: ISSUER, audience: AUDIENCE, clock, callerFrom: () => undefined }
  const lost = createJwtCallers({
    ...options,
    jwksUrl: 'https://x.example',
    get: async () => new Response('gone', { status: 500 }),
  })
  await expect(lost.read(await signToken(CLAIMS))).rejects.toMatchObject({
    code: 'TOOL_RESOURCE_UNAVAILABLE',
  })
})

test.each([
  ['announces its length', { 'content-length': '10000000' }],
  ['does not announce its length', {}],
])('keys that are far too large are not read to the end: a server that %s', async (_, headers) => {
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
  })
  const flooded = createJwtCallers({
    issuer: ISSUER,
    audience: AUDIENCE,
    clock,
    callerFrom: () => undefined,
    jwksUrl: 'https://x.example',
    get: async () => new Response(endless, { headers }),
  })
  await expect(flooded.read(await signToken(CLAIMS))).rejects.toMatchObject({
    code: 'TOOL_RESOURCE_UNAVAILABLE',
  })
  expect(sent).toBeLessThan(1_000_000)
})

test('a list of algorithms with a symmetric one is refused', () => {
  const options = {
    issuer: ISSUER,
    audience: AUDIENCE,
    jwksUrl: 'https://x.example',
    clock,
    callerFrom: () => undefined,
  }
  // @ts-expect-error: it does not compile either.
  expect(() => createJwtCallers({ ...options, algorithms: ['HS256'] })).toThrow('HS256')
})
