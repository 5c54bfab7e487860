import { type FakeClock, fakeClock } from '@surehand/conformance'
import { type Caller, createRuntime, memoryStores, type Stores } from '@surehand/core'
import { systemEntropy } from '@surehand/core/ports'
import { beforeEach, describe, expect, test } from 'vitest'
import { type CredentialsApi, createCredentialsApi } from './credentials-api.ts'
import { ann, callBy, keyOf, needs, rejectionOf, requestTo, root } from './testing/vault-world.ts'
import { createVault, type Vault } from './vault.ts'

const API = 'https://api.shop.example'
const signal = new AbortController().signal
const key = { kind: 'apiKey', origins: [API], value: 'sk-live-1234567890' }

let clock: FakeClock
let stores: Stores
let vault: Vault
let api: CredentialsApi

function open(...keys: [Uint8Array, ...Uint8Array[]]): {
  readonly vault: Vault
  readonly api: CredentialsApi
} {
  const http = async () => ({
    status: 200,
    body: JSON.stringify({ access_token: 'granted-token', expires_in: 60 }),
  })
  const opened = createVault({ store: stores.admin, keys, clock, entropy: systemEntropy(), http })
  return {
    vault: opened,
    api: createCredentialsApi({
      administration: createRuntime({ packs: [], stores, clock }).administration,
      vault: opened,
    }),
  }
}

beforeEach(() => {
  clock = fakeClock()
  stores = memoryStores({ clock })
  ;({ vault, api } = open(keyOf('a')))
})

const sentKey = async (by = vault) =>
  (await by.applySecurity(requestTo(API, [needs.header]), callBy(ann), { signal })).request.headers[
    'x-api-key'
  ]

/** Copies a stored item to another key, as an attacker with access to the database could. */
async function forge(
  from: string,
  to: { readonly tenant: string; readonly id: string },
  change = (value: string) => value,
): Promise<void> {
  const [item, there] = [
    await stores.admin.get('home', 'credential', from),
    await stores.admin.get(to.tenant, 'credential', to.id),
  ]
  const [entry] = await stores.audit.list({ tenant: 'home' })
  if (item === undefined || entry === undefined) throw new Error('There is no item to copy.')
  const audit = {
    ...entry,
    id: systemEntropy().newId('aud', 0),
    input: { hash: '', bytes: 0 },
    output: { hash: '', bytes: 0 },
  }
  await stores.admin.change(
    { ...to, kind: 'credential', value: change(item.value), expected: there?.version },
    audit,
  )
}

describe('the credentials API', () => {
  test('shows everything but the secret', async () => {
    const listed = await api.put(root, 'shop.key', key)
    expect(listed).toEqual({
      id: 'shop.key',
      version: 1,
      updatedAt: clock.now(),
      state: 'sealed',
      record: {
        kind: 'apiKey',
        origins: [API],
        hint: { lastFour: '7890', digest: expect.stringMatching(/^[0-9a-f]{12}$/) },
        createdBy: 'root',
      },
      problem: undefined,
      consents: { held: 0, needed: 0 },
    })
    expect(await api.list(root)).toEqual([listed])
  })

  test('shows only a digest of a short secret, which cannot be computed without the key', async () => {
    const short = await api.put(root, 'shop.key', { ...key, value: 'hunter2' })
    const elsewhere = await open(keyOf('b')).api.put(root, 'shop.other', {
      ...key,
      value: 'hunter2',
    })
    expect(short.record?.hint).toEqual({ digest: expect.any(String) })
    expect(elsewhere.record?.hint.digest).not.toBe(short.record?.hint.digest)
  })

  test('changes only the version that the caller has seen, and records who changed it', async () => {
    await api.put(root, 'shop.key', key)
    expect((await api.put(root, 'shop.key', { ...key, value: 'sk-live-new' }, 1)).version).toBe(2)
    expect((await rejectionOf(api.put(root, 'shop.key', key, 1))).details).toMatchObject({
      source_code: 'stale_version',
    })
    expect(await sentKey()).toBe('sk-live-new')
    expect(
      (await stores.audit.list({ tenant: 'home' })).map(
        ({ principal, tool_name, outcome, input_hash }) => [
          principal,
          tool_name,
          outcome,
          input_hash,
        ],
      ),
    ).toEqual([
      ['root', 'credential:vault:shop.key', 'set', ''],
      ['root', 'credential:vault:shop.key', 'set', ''],
    ])
  })

  test('removes a credential together with its tokens', async () => {
    const client = {
      kind: 'clientCredentials',
      origins: [API],
      tokenUrl: `${API}/token`,
      clientId: 'me',
      clientSecret: 'client-secret',
    }
    await api.put(root, 'shop.oauth', client)
    await api.put(root, 'shop.oauth2', client)
    for (const scheme of ['oauth', 'oauth2'])
      await vault.applySecurity(requestTo(API, [{ ...needs.oauth, scheme }]), callBy(ann), {
        signal,
      })
    await api.remove(root, 'shop.oauth', 1)
    expect((await stores.admin.list('home', 'credential')).map(({ id }) => id)).toEqual([
      'vault-tokens:shop.oauth2',
      'vault:shop.oauth2',
    ])
    expect(
      (
        await rejectionOf(
          vault.applySecurity(requestTo(API, [needs.oauth]), callBy(ann), { signal }),
        )
      ).details,
    ).toMatchObject({
      source_code: 'credential_missing',
    })
  })

  test.each<[string, Caller, string]>([
    ['a caller who is not an administrator', ann, 'TOOL_ROLE_NOT_AUTHORIZED'],
    [
      'an agent of an administrator',
      { ...root, actor: 'ai_agent' },
      'TOOL_INSUFFICIENT_PERMISSIONS',
    ],
  ])('refuses %s', async (_, by, code) => {
    await api.put(root, 'shop.key', key)
    const tried = [api.list(by), api.put(by, 'shop.other', key), api.remove(by, 'shop.key', 1)]
    expect(await Promise.all(tried.map(async (one) => (await rejectionOf(one)).code))).toEqual([
      code,
      code,
      code,
    ])
  })

  test.each([
    ['an origin with a path', { ...key, origins: [`${API}/v1`] }],
    ['an origin without TLS', { ...key, origins: ['http://api.shop.example'] }],
    ['no origin', { ...key, origins: [] }],
    ['a value that breaks a header', { ...key, value: 'sk-live\r\nHost: evil' }],
    ['a value too short to be scrubbed from texts', { ...key, value: 'abc' }],
    ['a field of another kind', { ...key, token: 'sk-live-1234567890' }],
    [
      'a token endpoint without TLS',
      {
        kind: 'clientCredentials',
        origins: [API],
        tokenUrl: 'http://id.example/token',
        clientId: 'a',
        clientSecret: 'bbbb',
      },
    ],
    ['a name with a colon', { kind: 'basic', origins: [API], username: 'a:b', password: 'pass' }],
  ])('refuses %s', async (_, form) => {
    expect((await rejectionOf(api.put(root, 'shop.key', form))).code).toBe('TOOL_INVALID_INPUT')
  })
})

describe('a stored credential', () => {
  beforeEach(async () => {
    await api.put(root, 'shop.key', key)
  })

  test.each([
    ['to another id', { tenant: 'home', id: 'vault:shop.other' }, 'other'],
    ['to another tenant', { tenant: 'other', id: 'vault:shop.key' }, 'key'],
  ])('cannot be decrypted after it was moved %s', async (_, to, scheme) => {
    await forge('vault:shop.key', to)
    const call = callBy({ ...ann, tenant: to.tenant })
    const error = await rejectionOf(
      vault.applySecurity(requestTo(API, [{ ...needs.header, scheme }]), call, { signal }),
    )
    expect(error).toMatchObject({ code: 'TOOL_DATA_CORRUPTION', effect: 'none' })
  })

  test.each([
    ['origins', (value: string) => value.replace(API, 'https://evil.example')],
    ['kind', (value: string) => value.replace('apiKey', 'bearer')],
    ['author', (value: string) => value.replace('"root"', '"ann"')],
    [
      'record, with one more field',
      (value: string) => value.replace('{"kind"', '{"more":1,"kind"'),
    ],
  ])('cannot be decrypted after a change of its %s', async (_, change) => {
    await forge('vault:shop.key', { tenant: 'home', id: 'vault:shop.key' }, change)
    const tried = [API, 'https://evil.example'].map((url) =>
      rejectionOf(vault.applySecurity(requestTo(url, [needs.header]), callBy(ann), { signal })),
    )
    for (const error of await Promise.all(tried))
      expect(error).toMatchObject({ code: 'TOOL_DATA_CORRUPTION', effect: 'none' })
    expect(await api.list(root)).toMatchObject([
      { id: 'shop.key', state: 'unreadable', record: undefined },
    ])
  })

  test('is decrypted after a key rotation, and after a reseal without the old key', async () => {
    const both = open(keyOf('b'), keyOf('a'))
    expect(await sentKey(both.vault)).toBe(key.value)
    await both.api.put(root, 'shop.second', { ...key, value: 'sk-second' })
    expect(await both.vault.reseal('home')).toEqual({ resealed: 1, current: 1, unopened: [] })
    expect(await both.vault.reseal('home')).toEqual({ resealed: 0, current: 2, unopened: [] })
    expect(await sentKey(open(keyOf('b')).vault)).toBe(key.value)
    expect((await rejectionOf(sentKey())).details).toMatchObject({
      source_code: 'credential_key_lost',
    })
  })

  test('whose key is lost is named, and the others still work', async () => {
    const other = open(keyOf('c'))
    await other.api.put(root, 'shop.second', { ...key, value: 'sk-second' })
    expect(await other.vault.reseal('home')).toEqual({
      resealed: 0,
      current: 1,
      unopened: ['vault:shop.key'],
    })
    expect(await rejectionOf(sentKey(other.vault))).toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
      effect: 'none',
      details: { source_code: 'credential_key_lost', credential: 'shop.key' },
      message: expect.stringContaining('"shop.key"'),
    })
    expect((await other.api.list(root))[0]?.problem).toEqual({
      reason: expect.stringMatching(
        /^The credential "shop.key" cannot be decrypted\. The stored value was encrypted with the key "[0-9a-f]{16}"/,
      ),
      suggestions: [
        expect.stringContaining('surehand keys reseal'),
        expect.stringContaining('surehand credentials set shop.key'),
      ],
    })
    expect((await other.api.list(root)).map(({ id, state }) => [id, state])).toEqual([
      ['shop.key', 'unreadable'],
      ['shop.second', 'sealed'],
    ])
    await other.api.put(root, 'shop.key', key, 1)
    expect(await sentKey(other.vault)).toBe(key.value)
  })

  test('requests new tokens after their key was lost and the credential was set again', async () => {
    const client = {
      kind: 'clientCredentials',
      origins: [API],
      tokenUrl: `${API}/token`,
      clientId: 'me',
      clientSecret: 'client-secret',
    }
    const authorization = async (by: Vault) =>
      (await by.applySecurity(requestTo(API, [needs.oauth]), callBy(ann), { signal })).request
        .headers.authorization
    await api.put(root, 'shop.oauth', client)
    expect(await authorization(vault)).toBe('Bearer granted-token')
    const other = open(keyOf('c'))
    expect((await rejectionOf(authorization(other.vault))).details).toMatchObject({
      credential: 'shop.oauth',
    })
    await other.api.put(root, 'shop.oauth', client, 1)
    expect(await authorization(other.vault)).toBe('Bearer granted-token')
  })

  const client = {
    origins: [API],
    tokenUrl: `${API}/token`,
    clientId: 'me',
    clientSecret: 'client-secret',
  }
  test.each([
    ['clientCredentials', { ...client, kind: 'clientCredentials' }, { held: 0, needed: 0 }],
    [
      'authorizationCode',
      { ...client, kind: 'authorizationCode', authorizeUrl: `${API}/agree`, for: 'tenant' },
      { held: 0, needed: 1 },
    ],
  ])(
    'whose tokens were tampered with (%s) is listed with the same error as the call that needs them',
    async (_, form, consents) => {
      const send = () => vault.applySecurity(requestTo(API, [needs.oauth]), callBy(ann), { signal })
      await api.put(root, 'shop.oauth', form)
      if (form.kind === 'clientCredentials') await send()
      else {
        const { state } = await vault.beginAuthorization(root, 'shop.oauth', {
          redirectUri: 'https://app.example/back',
        })
        await vault.finishAuthorization(root, { state, code: 'a-code' })
      }
      const place = { tenant: 'home', id: 'vault-tokens:shop.oauth' }
      await forge(place.id, place, (value) => value.replace('"held"', '"none"'))
      const { message, suggestions } = await rejectionOf(send())
      expect((await api.list(root)).find(({ id }) => id === 'shop.oauth')).toMatchObject({
        state: 'sealed',
        problem: { reason: message, suggestions },
        consents,
      })
      expect(message).toContain('The tokens of the credential "shop.oauth" cannot be decrypted.')
      // Tokens whose key is lost are requested again without any action.
      expect(await open(keyOf('c')).api.put(root, 'shop.oauth', form, 1)).toMatchObject({
        problem: undefined,
        consents,
      })
    },
  )
})
