import { fakeClock } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { systemEntropy } from '@surehand/core/ports'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SecuredRequest } from './apply-security.ts'
import type { SecurityNeed, SourceRequest } from './source-request.ts'
import {
  ann,
  callBy,
  keyOf,
  needs,
  rejectionOf,
  requestTo,
  setCredential,
} from './testing/vault-world.ts'
import { createVault, type Vault } from './vault.ts'

const API = 'https://api.shop.example'
const signal = new AbortController().signal
let vault: Vault

beforeEach(() => {
  const clock = fakeClock()
  const http = async () => Promise.reject(new Error('No token endpoint may be called.'))
  vault = createVault({
    store: memoryStores({ clock }).admin,
    keys: [keyOf('a')],
    clock,
    entropy: systemEntropy(),
    http,
  })
})

const secure = (request: SourceRequest, references = {}): Promise<SecuredRequest> =>
  vault.applySecurity(request, callBy(ann), { references, signal })
const secureWith = (url: string, ...needed: readonly SecurityNeed[]): Promise<SecuredRequest> =>
  secure(requestTo(url, needed))

describe('a request', () => {
  test('without security needs is unchanged', async () => {
    const request = requestTo(`${API}/orders`)
    expect(await secure(request)).toMatchObject({
      request,
      credentialHeaders: [],
      credentialQuery: [],
      credentialFields: [],
    })
  })

  test('gets an API key into its header, replacing the value there, and the header is listed as a credential', async () => {
    await setCredential(vault, 'shop.key', { kind: 'apiKey', origins: [API], value: 'sk-123456' })
    const { request, credentialHeaders } = await secure({
      ...requestTo(`${API}/orders`, [needs.header]),
      headers: { 'x-api-KEY': 'of a model' },
    })
    expect([request.headers, credentialHeaders]).toEqual([
      { 'x-api-key': 'sk-123456' },
      ['x-api-key'],
    ])
  })

  test('gets an API key into its query, and the rest of the query keeps its encoding', async () => {
    await setCredential(vault, 'shop.key', { kind: 'apiKey', origins: [API], value: 'a&b=c d' })
    const { request, credentialQuery } = await secureWith(
      `${API}/orders?ids=1,2&q=a%20b&api_key=evil&api%5Fkey=evil2`,
      needs.query,
    )
    expect([request.url, credentialQuery]).toEqual([
      `${API}/orders?ids=1,2&q=a%20b&api_key=a%26b%3Dc%20d`,
      ['api_key'],
    ])
  })

  test('gets an API key into a form, replacing the field there, and the rest of the form stays', async () => {
    await setCredential(vault, 'shop.token', { kind: 'apiKey', origins: [API], value: 's&=1/+ x' })
    const need = { ...needs.query, scheme: 'token', in: 'form', name: 'token' } as const
    const sendForm = async (contentType: string, body: SourceRequest['body']) => {
      const { request, credentialFields } = await secure({
        ...requestTo(`${API}/orders`, [need]),
        headers: { 'content-type': contentType },
        ...(body === undefined ? {} : { body }),
      })
      expect(credentialFields).toEqual(['token'])
      const headers = { 'content-type': contentType }
      return [...(await new Response(request.body as string, { headers }).formData())]
    }
    const form = 'application/x-www-form-urlencoded'
    expect(await sendForm(form, 'a=1%202&token=of+a+model')).toEqual([
      ['a', '1 2'],
      ['token', 's&=1/+ x'],
    ])
    expect(await sendForm(form, undefined)).toEqual([['token', 's&=1/+ x']])
    const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'
    expect(await sendForm('multipart/form-data; boundary=b', Buffer.from(part))).toEqual([
      ['a', '1'],
      ['token', 's&=1/+ x'],
    ])
    expect(await rejectionOf(sendForm('application/json', '{}'))).toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
      effect: 'none',
    })
  })

  test('gets an API key into a cookie, next to other cookies', async () => {
    await setCredential(vault, 'shop.key', { kind: 'apiKey', origins: [API], value: 'sk-123456' })
    const { request, credentialHeaders } = await secure({
      ...requestTo(API, [needs.cookie]),
      headers: { Cookie: 'theme=dark; sid=evil' },
    })
    expect([request.headers, credentialHeaders]).toEqual([
      { cookie: 'theme=dark; sid=sk-123456' },
      ['cookie'],
    ])
  })

  test('gets bearer and basic credentials', async () => {
    await setCredential(vault, 'shop.bearerAuth', {
      kind: 'bearer',
      origins: [API],
      token: 'tok-123456',
    })
    await setCredential(vault, 'shop.basicAuth', {
      kind: 'basic',
      origins: [API],
      username: 'ann',
      password: 'pässword',
    })
    expect((await secureWith(API, needs.bearer)).request.headers.authorization).toBe(
      'Bearer tok-123456',
    )
    expect((await secureWith(API, needs.basic)).request.headers.authorization).toBe(
      `Basic ${Buffer.from('ann:pässword').toString('base64')}`,
    )
  })

  test('gets all schemes of an alternative together', async () => {
    await setCredential(vault, 'shop.key', { kind: 'apiKey', origins: [API], value: 'sk-123456' })
    await setCredential(vault, 'shop.bearerAuth', {
      kind: 'bearer',
      origins: [API],
      token: 'tok-123456',
    })
    const { request, credentialHeaders } = await secureWith(API, needs.header, needs.bearer)
    expect(request.headers).toEqual({
      accept: 'application/json',
      'x-api-key': 'sk-123456',
      authorization: 'Bearer tok-123456',
    })
    expect(credentialHeaders).toEqual(['x-api-key', 'authorization'])
  })

  test('uses the first alternative whose schemes can all be satisfied', async () => {
    await setCredential(vault, 'shop.key', { kind: 'apiKey', origins: [API], value: 'sk-123456' })
    const { request } = await secure(
      requestTo(API, [needs.header, needs.bearer], [needs.basic], [needs.query]),
    )
    expect(request).toMatchObject({
      url: `${API}/?api_key=sk-123456`,
      headers: { accept: 'application/json' },
    })
  })

  test('is not refused because of a credential for another origin that it does not need', async () => {
    await setCredential(vault, 'shop.key', { kind: 'apiKey', origins: [API], value: 'sk-123456' })
    await setCredential(vault, 'shop.bearerAuth', {
      kind: 'bearer',
      origins: ['https://eu.shop.example'],
      token: 'tok-123456',
    })
    expect((await secure(requestTo(API, [needs.bearer], [needs.header]))).request.headers).toEqual({
      accept: 'application/json',
      'x-api-key': 'sk-123456',
    })
  })

  test('prefers an alternative whose scopes its token covers', async () => {
    const client = {
      kind: 'clientCredentials' as const,
      origins: [API],
      tokenUrl: `${API}/token`,
      clientSecret: 'client-secret',
    }
    const http = async ({ body }: { readonly body: string }) => ({
      status: 200,
      body: JSON.stringify({ access_token: `for-${new URLSearchParams(body).get('scope')}` }),
    })
    const clock = fakeClock()
    vault = createVault({
      store: memoryStores({ clock }).admin,
      keys: [keyOf('a')],
      clock,
      entropy: systemEntropy(),
      http,
    })
    await setCredential(vault, 'shop.one', { ...client, clientId: 'one', scopes: ['read'] })
    await setCredential(vault, 'shop.two', { ...client, clientId: 'two', scopes: ['write'] })
    const [one, two] = [
      { ...needs.oauth, scheme: 'one' },
      { ...needs.oauth, scheme: 'two' },
    ]
    const tokens = ['read', 'write', 'admin'].map(async (scope) => {
      const { request } = await secure(
        requestTo(API, [{ ...one, scopes: [scope] }], [{ ...two, scopes: [scope] }]),
      )
      return request.headers.authorization
    })
    expect(await Promise.all(tokens)).toEqual([
      'Bearer for-read',
      'Bearer for-write',
      'Bearer for-read',
    ])
  })

  test('with optional authentication uses a credential if there is one, and otherwise none', async () => {
    const request = requestTo(`${API}/`, [], [needs.header])
    expect((await secure(request)).request).toEqual(request)
    await setCredential(vault, 'shop.key', { kind: 'apiKey', origins: [API], value: 'sk-123456' })
    expect((await secure(request)).request.headers['x-api-key']).toBe('sk-123456')
  })

  test('finds its credential by the name that the import gives, otherwise by namespace and scheme', async () => {
    await setCredential(vault, 'elsewhere', {
      kind: 'apiKey',
      origins: [API],
      value: 'sk-elsewhere',
    })
    expect(
      (await secure(requestTo(API, [needs.header]), { key: 'elsewhere' })).request.headers[
        'x-api-key'
      ],
    ).toBe('sk-elsewhere')
    expect(
      (await rejectionOf(secure(requestTo(API, [{ ...needs.header, scheme: 'constructor' }]))))
        .details,
    ).toMatchObject({
      credential: 'shop.constructor',
    })
  })
})

describe('nothing is sent', () => {
  test('without a credential, and the error says which scheme and which command', async () => {
    const error = await rejectionOf(secureWith(`${API}/orders?q=1`, needs.bearer))
    expect(error).toMatchObject({ code: 'TOOL_CONFIGURATION_ERROR', effect: 'none' })
    expect(error.message).toContain('"bearerAuth"')
    expect(error.suggestions).toEqual([
      `Run: surehand credentials set shop.bearerAuth --kind bearer --origin ${API}`,
    ])
  })

  test.each([
    'https://api.shop.example.evil.com/',
    'https://evil.com/api.shop.example',
    'http://api.shop.example/',
    'https://api.shop.example:8443/',
    'https://shop.example/',
  ])('to an origin that the credential was not given for: %s', async (url) => {
    await setCredential(vault, 'shop.key', {
      kind: 'apiKey',
      origins: [API, 'https://eu.shop.example'],
      value: 'sk-123456',
    })
    expect(await rejectionOf(secure(requestTo(url, [needs.header], [])))).toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
      effect: 'none',
      details: { source_code: 'credential_elsewhere' },
    })
  })

  test('for another tenant', async () => {
    await setCredential(vault, 'shop.key', { kind: 'apiKey', origins: [API], value: 'sk-123456' })
    const call = callBy({ ...ann, tenant: 'other' })
    expect(
      (await rejectionOf(vault.applySecurity(requestTo(API, [needs.header]), call, { signal })))
        .details,
    ).toMatchObject({
      source_code: 'credential_missing',
    })
  })

  test('with a credential of the wrong kind', async () => {
    await setCredential(vault, 'shop.bearerAuth', {
      kind: 'apiKey',
      origins: [API],
      value: 'sk-123456',
    })
    expect((await rejectionOf(secureWith(API, needs.bearer))).details).toMatchObject({
      source_code: 'credential_misfit',
    })
  })

  test.each(['Host', 'content-length', 'Transfer-Encoding', 'X-Key\r\nX-Evil', 'a b', ''])(
    'in a header called %j',
    async (name) => {
      await setCredential(vault, 'shop.key', { kind: 'apiKey', origins: [API], value: 'sk-123456' })
      expect(await rejectionOf(secureWith(API, { ...needs.header, name }))).toMatchObject({
        code: 'TOOL_CONFIGURATION_ERROR',
        effect: 'none',
      })
    },
  )

  test('when two schemes use the same header', async () => {
    await setCredential(vault, 'shop.bearerAuth', {
      kind: 'bearer',
      origins: [API],
      token: 'tok-123456',
    })
    await setCredential(vault, 'shop.basicAuth', {
      kind: 'basic',
      origins: [API],
      username: 'ann',
      password: 'password',
    })
    expect((await rejectionOf(secureWith(API, needs.bearer, needs.basic))).message).toContain(
      'two schemes',
    )
  })

  test('when the store is unavailable, and the error says that the call had no effect', async () => {
    const clock = fakeClock()
    const { admin } = memoryStores({ clock })
    const store = { ...admin, get: () => Promise.reject(new Error('out of reach')) }
    vault = createVault({
      store,
      keys: [keyOf('a')],
      clock,
      entropy: systemEntropy(),
      http: () => Promise.reject(new Error('No token endpoint may be called.')),
    })
    expect(await rejectionOf(secureWith(API, needs.header))).toMatchObject({ effect: 'none' })
  })

  test('when a value is not allowed in a cookie', async () => {
    await setCredential(vault, 'shop.key', { kind: 'apiKey', origins: [API], value: 'a; admin=1' })
    expect((await rejectionOf(secureWith(API, needs.cookie))).message).toContain('cookie')
  })
})
