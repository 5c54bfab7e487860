import { createHmac } from 'node:crypto'
import { hashJson } from '@surehand/core/internal'
import { z } from 'zod'
import type { ParsedCredential } from './credential-form.ts'
import { type Secret, secret } from './secret.ts'
import type { Secrets } from './vault-items.ts'

const common = {
  origins: z.array(z.string()),
  /** Shown to people to tell one secret from another, without being enough to guess it. */
  hint: z.strictObject({ lastFour: z.string().exactOptional(), digest: z.string() }),
  createdBy: z.string(),
}
const client = { tokenUrl: z.string(), clientId: z.string(), scopes: z.array(z.string()) }

/**
 * Everything about a credential except its secrets. The secrets are bound to it: after a change in
 * the store they cannot be decrypted.
 */
export const CredentialRecord = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['apiKey', 'bearer', 'basic']), ...common }),
  z.strictObject({
    kind: z.literal('aws'),
    ...common,
    region: z.string(),
    service: z.string().exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('clientCredentials'),
    ...common,
    ...client,
    audience: z.string().exactOptional(),
    auth: z.enum(['basic', 'post']),
  }),
  z.strictObject({
    kind: z.literal('authorizationCode'),
    ...common,
    ...client,
    authorizeUrl: z.string(),
    auth: z.enum(['basic', 'post', 'none']),
    for: z.enum(['tenant', 'principal']),
  }),
  z.strictObject({
    kind: z.literal('environment'),
    ...common,
    server: z.string(),
    variables: z.array(z.string()),
  }),
])
export type CredentialRecord = z.infer<typeof CredentialRecord>
export type OAuthRecord = Extract<
  CredentialRecord,
  { kind: 'clientCredentials' | 'authorizationCode' }
>
export type ConsentRecord = Extract<CredentialRecord, { kind: 'authorizationCode' }>

export type SplitCredential = { readonly record: CredentialRecord; readonly secrets: Secrets }

// Keeps the names of variables apart from those of other secrets.
const VARIABLE = 'env:'

/** The variables of a credential of the kind `environment`. */
export function environmentOf({
  secrets,
}: {
  readonly secrets: Secrets
}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name.slice(VARIABLE.length), value.reveal()]),
  )
}

/** Splits a form into the record, which may be shown, and the secrets. */
export function splitCredential(
  form: ParsedCredential,
  by: { readonly principal: string; readonly digestKey: Uint8Array },
): SplitCredential {
  const withHint = (hinted: string) => ({
    origins: form.kind === 'environment' ? [] : form.origins,
    hint: buildHint(hinted, by.digestKey),
    createdBy: by.principal,
  })
  switch (form.kind) {
    case 'apiKey':
      return {
        record: { kind: form.kind, ...withHint(form.value) },
        secrets: { value: secret(form.value) },
      }
    case 'bearer':
      return {
        record: { kind: form.kind, ...withHint(form.token) },
        secrets: { token: secret(form.token) },
      }
    case 'basic':
      return {
        record: {
          kind: form.kind,
          ...withHint(form.password === '' ? form.username : form.password),
        },
        secrets: { username: secret(form.username), password: secret(form.password) },
      }
    case 'aws': {
      const { accessKeyId, secretAccessKey, sessionToken, ...seen } = form
      return {
        record: { ...seen, ...withHint(accessKeyId) },
        secrets: {
          accessKeyId: secret(accessKeyId),
          secretAccessKey: secret(secretAccessKey),
          ...(sessionToken === undefined ? {} : { sessionToken: secret(sessionToken) }),
        },
      }
    }
    case 'clientCredentials': {
      const { clientSecret, ...seen } = form
      return {
        record: { ...seen, ...withHint(clientSecret) },
        secrets: { clientSecret: secret(clientSecret) },
      }
    }
    case 'authorizationCode': {
      const { clientSecret, ...seen } = form
      const record = {
        ...seen,
        ...withHint(clientSecret ?? ''),
        auth: clientSecret === undefined ? ('none' as const) : form.auth,
      }
      return {
        record,
        secrets: clientSecret === undefined ? {} : { clientSecret: secret(clientSecret) },
      }
    }
    case 'environment': {
      const { variables, kind, server } = form
      return {
        record: {
          kind,
          server,
          variables: Object.keys(variables).toSorted(),
          ...withHint(Object.values(variables).join('\n')),
        },
        secrets: Object.fromEntries(
          Object.entries(variables).map(([name, value]) => [`${VARIABLE}${name}`, secret(value)]),
        ),
      }
    }
  }
}

/**
 * Identifies the client and server that tokens were issued for. After either changes, the old
 * tokens must not be used.
 */
export function grantOf(record: OAuthRecord): string {
  const { kind, tokenUrl, clientId, scopes } = record
  const own =
    kind === 'authorizationCode' ? [record.authorizeUrl, record.for] : [record.audience ?? '']
  return hashJson([kind, tokenUrl, clientId, scopes.toSorted(), own])
}

const MIN_KEY_LENGTH = 16

/**
 * The secrets to remove from messages. A person's user name may be shown; an API key in its place
 * may not.
 */
export function secretsToScrub({ secrets }: { readonly secrets: Secrets }): readonly Secret[] {
  const { username, ...others } = secrets
  if (username === undefined) return Object.values(others)
  const name = username.reveal()
  const isKey =
    (secrets.password?.reveal() ?? '').length < 4 ||
    (name.length >= MIN_KEY_LENGTH && !name.includes('@'))
  return isKey ? Object.values(secrets) : Object.values(others)
}

// Keyed, because the plain hash of a short secret reveals the secret.
function buildHint(hinted: string, key: Uint8Array): { lastFour?: string; digest: string } {
  const digest = createHmac('sha256', key).update(hinted).digest('hex').slice(0, 12)
  return hinted.length >= 12 ? { lastFour: hinted.slice(-4), digest } : { digest }
}
