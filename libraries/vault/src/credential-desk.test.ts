import { type FakeClock, fakeClock } from '@surehand/conformance'
import { type Caller, createRuntime, memoryStores, type Stores } from '@surehand/core'
import { systemEntropy } from '@surehand/core/ports'
import { beforeEach, describe, expect, test } from 'vitest'
import { type CredentialDesk, credentialDesk } from './credential-desk.ts'
import { ann, callBy, errorOf, keyOf, needs, requestTo, root } from './testing/vault-world.ts'
import { createVault, type Vault } from './vault.ts'

const API = 'https://api.shop.example'
const signal = new AbortController().signal
const key = { kind: 'apiKey', origins: [API], value: 'sk-live-1234567890' }

let clock: FakeClock
let stores: Stores
let vault: Vault
let desk: CredentialDesk

function open(...keys: [Uint8Array, ...Uint8Array[]]): {
  readonly vault: Vault
  readonly desk: CredentialDesk
} {
  const http = async () => ({
    status: 200,
    body: JSON.stringify({ access_token: 'granted-token', expires_in: 60 }),
  })
  const opened = createVault({ store: stores.admin, keys, clock, chance: systemEntropy(), http })
  return {
    vault: opened,
    desk: credentialDesk({
      administration: createRuntime({ packs: [], stores, clock }).administration,
      vault: opened,
    }),
  }
}

beforeEach(() => {
  clock = fakeClock()
  stores = memoryStores({ clock })
  ;({ vault, desk } = open(keyOf('a')))
})

const sent = async (by = vault) =>
  (await by.applySecurity(requestTo(API, [needs.header]), callBy(ann), { signal })).request.headers[
    'x-api-key'
  ]

/** Puts an item of the store elsewhere, as somebody with the database in hand would. */
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
  if (item === undefined || entry === undefined) throw new Error('There is nothing to forge.')
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

describe('the desk of credentials', () => {
  test('shows everything but the secret', async () => {
    const listed = await desk.put(root, 'shop.key', key)
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
      trouble: undefined,
      consents: { held: 0, needed: 0 },
    })
    expect(await desk.list(root)).toEqual([listed])
  })

  test('shows nothing of a short secret but a digest that only this house can make', async () => {
    const short = await desk.put(root, 'shop.key', { ...key, value: 'hunter2' })
    const elsewhere = await open(keyOf('b')).desk.put(root, 'shop.other', {
      ...key,
      value: 'hunter2',
    })
    expect(short.record?.hint).toEqual({ digest: expect.any(String) })
    expect(elsewhere.record?.hint.digest).not.toBe(short.record?.hint.digest)
  })

  test('changes what was looked at and nothing newer, and records who did', async () => {
    await desk.put(root, 'shop.key', key)
    expect((await desk.put(root, 'shop.key', { ...key, value: 'sk-live-new' }, 1)).version).toBe(2)
    expect((await errorOf(desk.put(root, 'shop.key', key, 1))).details).toMatchObject({
      source_code: 'stale_version',
    })
    expect(await sent()).toBe('sk-live-new')
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

  test('takes a credential away with the tokens that were granted with it', async () => {
    const client = {
      kind: 'clientCredentials',
      origins: [API],
      tokenUrl: `${API}/token`,
      clientId: 'me',
      clientSecret: 'client-secret',
    }
    await desk.put(root, 'shop.oauth', client)
    await desk.put(root, 'shop.oauth2', client)
    for (const scheme of ['oauth', 'oauth2'])
      await vault.applySecurity(requestTo(API, [{ ...needs.oauth, scheme }]), callBy(ann), {
        signal,
      })
    await desk.remove(root, 'shop.oauth', 1)
    expect((await stores.admin.list('home', 'credential')).map(({ id }) => id)).toEqual([
      'vault-tokens:shop.oauth2',
      'vault:shop.oauth2',
    ])
    expect(
      (await errorOf(vault.applySecurity(requestTo(API, [needs.oauth]), callBy(ann), { signal })))
        .details,
    ).toMatchObject({
      source_code: 'credential_missing',
    })
  })

  test.each<[string, Caller, string]>([
    ['who is no administrator', ann, 'TOOL_ROLE_NOT_AUTHORIZED'],
    ['an agent of one', { ...root, actor: 'ai_agent' }, 'TOOL_INSUFFICIENT_PERMISSIONS'],
  ])('is not for %s', async (_, by, code) => {
    await desk.put(root, 'shop.key', key)
    const tried = [desk.list(by), desk.put(by, 'shop.other', key), desk.remove(by, 'shop.key', 1)]
    expect(await Promise.all(tried.map(async (one) => (await errorOf(one)).code))).toEqual([
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
    ['a value too short to be kept out of texts', { ...key, value: 'abc' }],
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
    expect((await errorOf(desk.put(root, 'shop.key', form))).code).toBe('TOOL_INVALID_INPUT')
  })
})

describe('what is stored', () => {
  beforeEach(async () => {
    await desk.put(root, 'shop.key', key)
  })

  test.each([
    ['to another id', { tenant: 'home', id: 'vault:shop.other' }, 'other'],
    ['to another house', { tenant: 'other', id: 'vault:shop.key' }, 'key'],
  ])('does not open when it is moved %s', async (_, to, scheme) => {
    await forge('vault:shop.key', to)
    const call = callBy({ ...ann, tenant: to.tenant })
    const error = await errorOf(
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
  ])('does not open when its %s were changed', async (_, change) => {
    await forge('vault:shop.key', { tenant: 'home', id: 'vault:shop.key' }, change)
    const tried = [API, 'https://evil.example'].map((url) =>
      errorOf(vault.applySecurity(requestTo(url, [needs.header]), callBy(ann), { signal })),
    )
    for (const error of await Promise.all(tried))
      expect(error).toMatchObject({ code: 'TOOL_DATA_CORRUPTION', effect: 'none' })
    expect(await desk.list(root)).toMatchObject([
      { id: 'shop.key', state: 'unreadable', record: undefined },
    ])
  })

  test('is opened after the keys were changed, sealed anew, and then without the old key', async () => {
    const both = open(keyOf('b'), keyOf('a'))
    expect(await sent(both.vault)).toBe(key.value)
    await both.desk.put(root, 'shop.second', { ...key, value: 'sk-second' })
    expect(await both.vault.reseal('home')).toEqual({ resealed: 1, current: 1, unopened: [] })
    expect(await both.vault.reseal('home')).toEqual({ resealed: 0, current: 2, unopened: [] })
    expect(await sent(open(keyOf('b')).vault)).toBe(key.value)
    expect((await errorOf(sent())).details).toMatchObject({ source_code: 'credential_key_lost' })
  })

  test('is named when its key is lost, without holding up the rest', async () => {
    const other = open(keyOf('c'))
    await other.desk.put(root, 'shop.second', { ...key, value: 'sk-second' })
    expect(await other.vault.reseal('home')).toEqual({
      resealed: 0,
      current: 1,
      unopened: ['vault:shop.key'],
    })
    expect(await errorOf(sent(other.vault))).toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
      effect: 'none',
      details: { source_code: 'credential_key_lost', credential: 'shop.key' },
      message: expect.stringContaining('"shop.key"'),
    })
    expect((await other.desk.list(root))[0]?.trouble).toEqual({
      why: expect.stringMatching(
        /^The credential "shop.key" does not open\. What is stored was sealed with the key "[0-9a-f]{16}"/,
      ),
      mend: [
        expect.stringContaining('surehand keys reseal'),
        expect.stringContaining('surehand credentials set shop.key'),
      ],
    })
    expect((await other.desk.list(root)).map(({ id, state }) => [id, state])).toEqual([
      ['shop.key', 'unreadable'],
      ['shop.second', 'sealed'],
    ])
    await other.desk.put(root, 'shop.key', key, 1)
    expect(await sent(other.vault)).toBe(key.value)
  })

  test('as tokens whose key is lost is as good as none: set again, the credential brings new ones', async () => {
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
    await desk.put(root, 'shop.oauth', client)
    expect(await authorization(vault)).toBe('Bearer granted-token')
    const other = open(keyOf('c'))
    expect((await errorOf(authorization(other.vault))).details).toMatchObject({
      credential: 'shop.oauth',
    })
    await other.desk.put(root, 'shop.oauth', client, 1)
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
    'as tokens that somebody changed is named with its credential (%s), in the words of the call that needs them',
    async (_, form, consents) => {
      const send = () => vault.applySecurity(requestTo(API, [needs.oauth]), callBy(ann), { signal })
      await desk.put(root, 'shop.oauth', form)
      if (form.kind === 'clientCredentials') await send()
      else {
        const { state } = await vault.beginAuthorization(root, 'shop.oauth', {
          redirectUri: 'https://house.example/back',
        })
        await vault.finishAuthorization(root, { state, code: 'a-code' })
      }
      const place = { tenant: 'home', id: 'vault-tokens:shop.oauth' }
      await forge(place.id, place, (value) => value.replace('"held"', '"none"'))
      const { message, suggestions } = await errorOf(send())
      expect((await desk.list(root)).find(({ id }) => id === 'shop.oauth')).toMatchObject({
        state: 'sealed',
        trouble: { why: message, mend: suggestions },
        consents,
      })
      expect(message).toContain('What was granted with the credential "shop.oauth" does not open.')
      // those whose key is lost are asked for again by themselves
      expect(await open(keyOf('c')).desk.put(root, 'shop.oauth', form, 1)).toMatchObject({
        trouble: undefined,
        consents,
      })
    },
  )
})
