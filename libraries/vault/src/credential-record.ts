import { createHmac } from 'node:crypto'
import { hashJson } from '@surehand/core/internal'
import { z } from 'zod'
import type { ParsedCredential } from './credential-form.ts'
import { type Secret, secret } from './secret.ts'
import type { Secrets } from './vault-items.ts'

const common = {
  origins: z.array(z.string()),
  /** What people may see of the secret: to tell one from another, not to guess it. */
  hint: z.strictObject({ lastFour: z.string().exactOptional(), digest: z.string() }),
  createdBy: z.string(),
}
const client = { tokenUrl: z.string(), clientId: z.string(), scopes: z.array(z.string()) }

/** What is known of a credential but its secrets. It is sealed to them: changed in the store, they do not open. */
export const CredentialRecord = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['apiKey', 'bearer', 'basic']), ...common }),
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
])
export type CredentialRecord = z.infer<typeof CredentialRecord>
export type OAuthRecord = Exclude<CredentialRecord, { kind: 'apiKey' | 'bearer' | 'basic' }>
export type ConsentRecord = Extract<CredentialRecord, { kind: 'authorizationCode' }>

export type Made = { readonly record: CredentialRecord; readonly secrets: Secrets }

/** A form in its two halves: what may be seen, and what may not. */
export function madeOf(
  form: ParsedCredential,
  by: { readonly principal: string; readonly digestKey: Uint8Array },
): Made {
  const shared = (shown: string) => ({
    origins: form.origins,
    hint: hintOf(shown, by.digestKey),
    createdBy: by.principal,
  })
  switch (form.kind) {
    case 'apiKey':
      return {
        record: { kind: form.kind, ...shared(form.value) },
        secrets: { value: secret(form.value) },
      }
    case 'bearer':
      return {
        record: { kind: form.kind, ...shared(form.token) },
        secrets: { token: secret(form.token) },
      }
    case 'basic':
      return {
        record: {
          kind: form.kind,
          ...shared(form.password === '' ? form.username : form.password),
        },
        secrets: { username: secret(form.username), password: secret(form.password) },
      }
    case 'clientCredentials': {
      const { clientSecret, ...seen } = form
      return {
        record: { ...seen, ...shared(clientSecret) },
        secrets: { clientSecret: secret(clientSecret) },
      }
    }
    case 'authorizationCode': {
      const { clientSecret, ...seen } = form
      const record = {
        ...seen,
        ...shared(clientSecret ?? ''),
        auth: clientSecret === undefined ? ('none' as const) : form.auth,
      }
      return {
        record,
        secrets: clientSecret === undefined ? {} : { clientSecret: secret(clientSecret) },
      }
    }
  }
}

/** What tokens were granted for: with another client or server they are somebody else's. */
export function grantOf(record: OAuthRecord): string {
  const { kind, tokenUrl, clientId, scopes } = record
  const own =
    kind === 'authorizationCode' ? [record.authorizeUrl, record.for] : [record.audience ?? '']
  return hashJson([kind, tokenUrl, clientId, scopes.toSorted(), own])
}

const KEY_LIKE = 16

/** Of a credential's secrets, what must not be said. A person's name may; a key in the place of a name may not. */
export function unspeakable({ secrets }: { readonly secrets: Secrets }): readonly Secret[] {
  const { username, ...others } = secrets
  if (username === undefined) return Object.values(others)
  const name = username.reveal()
  const isKey =
    (secrets.password?.reveal() ?? '').length < 4 ||
    (name.length >= KEY_LIKE && !name.includes('@'))
  return isKey ? Object.values(secrets) : Object.values(others)
}

// under a key: the plain hash of a short secret tells the secret
function hintOf(shown: string, key: Uint8Array): { lastFour?: string; digest: string } {
  const digest = createHmac('sha256', key).update(shown).digest('hex').slice(0, 12)
  return shown.length >= 12 ? { lastFour: shown.slice(-4), digest } : { digest }
}
