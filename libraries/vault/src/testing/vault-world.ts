import { type Caller, isToolError, type ToolError } from '@surehand/core'
import type { ForeignCall } from '@surehand/core/host'
import { CredentialForm } from '../credential-form.ts'
import type { CredentialedRequest } from '../place-secret.ts'
import type { SecurityNeed, SourceAnswer, SourceRequest } from '../source-request.ts'
import type { VaultHttp } from '../token-endpoint.ts'
import type { Vault } from '../vault.ts'
import { itemKey } from '../vault-items.ts'

export const root: Caller = {
  tenant: 'home',
  principal: 'root',
  actor: 'user',
  roles: ['admin'],
  capabilities: [],
}
export const ann: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}
export const bob: Caller = { ...ann, principal: 'bob' }

export const keyOf = (letter: string): Uint8Array => Buffer.alloc(32, letter)

export const callBy = (caller: Caller, tool = 'shop.listOrders'): ForeignCall => ({
  tool,
  input: {},
  caller,
  callId: 'call_1',
  idempotencyKey: 'k',
})

export function requestTo(
  url: string,
  ...security: readonly (readonly SecurityNeed[])[]
): SourceRequest {
  return {
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    security,
    maxBytes: 100_000,
  }
}

export const needs = {
  header: { scheme: 'key', scopes: [], type: 'apiKey', in: 'header', name: 'X-API-Key' },
  query: { scheme: 'key', scopes: [], type: 'apiKey', in: 'query', name: 'api_key' },
  cookie: { scheme: 'key', scopes: [], type: 'apiKey', in: 'cookie', name: 'sid' },
  bearer: { scheme: 'bearerAuth', scopes: [], type: 'http', http: 'bearer' },
  basic: { scheme: 'basicAuth', scopes: [], type: 'http', http: 'basic' },
  oauth: { scheme: 'oauth', scopes: [], type: 'oauth2' },
} as const satisfies Readonly<Record<string, SecurityNeed>>

/** Real HTTP in place of egress. */
export const httpOverFetch: VaultHttp = async ({ url, method, headers, body, signal }) => {
  const answer = await fetch(url, { method, headers, body, signal, redirect: 'manual' })
  return { status: answer.status, body: await answer.text() }
}

export async function exchangeOverFetch({
  request: { url, method, headers },
}: CredentialedRequest): Promise<SourceAnswer> {
  const answer = await fetch(url, { method, headers, redirect: 'manual' })
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: new Uint8Array(await answer.arrayBuffer()),
    isCut: false,
  }
}

/** Sets a credential like the credentials API, without a runtime. */
export async function setCredential(vault: Vault, id: string, form: CredentialForm): Promise<void> {
  const { record, secrets } = vault.splitForm(root, CredentialForm.parse(form))
  const place = itemKey.credential(root.tenant, id)
  await vault.items.write({
    ...place,
    next: { record, secrets },
    expected: await vault.items.versionOf(place),
    principal: 'root',
    outcome: 'set',
  })
}

export async function rejectionOf(answer: Promise<unknown>): Promise<ToolError> {
  const thrown = await answer.then(
    (value) => new Error(`It answered ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  if (isToolError(thrown)) return thrown
  throw thrown
}
