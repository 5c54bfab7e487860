import { z } from 'zod'

/** What credentials are called: `github.bearerAuth` is found by itself for the scheme `bearerAuth` of the import `github`. */
export const CredentialId = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,95}$/, 'is 1 to 96 letters, digits, ".", "-" and "_"')

// shorter ones stand in every other sentence by chance, and could not be kept out of what is said
const Sendable = z
  .string()
  .regex(/^[\x21-\x7e][\x20-\x7e]{2,8190}[\x21-\x7e]$/, 'is 4 to 8192 printable ASCII characters')
// it may be Unicode; what breaks a header, or the pair it stands in, may not be in it
const Password = z
  .string()
  .regex(/^\P{Cc}{0,1024}$/u, 'is at most 1024 characters without controls')
const Username = z
  .string()
  .regex(/^[^\p{Cc}:]{0,1024}$/u, 'is at most 1024 characters without ":" and controls')
const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'is a scope of OAuth')

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Where a secret may travel to: under TLS, or on this machine. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))
}

const Endpoint = z
  .string()
  .max(2_000)
  .refine(isSafeUrl, 'is an https address without a name and without "#"')
const Origin = Endpoint.refine(
  (text) => URL.canParse(text) && new URL(text).origin === text,
  'is an origin such as https://api.example.com',
)

const Client = {
  tokenUrl: Endpoint,
  clientId: z.string().regex(/^[\x20-\x7e]{1,512}$/, 'is 1 to 512 printable ASCII characters'),
  scopes: z.array(Scope).max(100).default([]),
}
const common = { origins: z.array(Origin).min(1).max(20) }

/** A credential as an administrator gives it. Its secret goes to these origins and nowhere else. */
export const CredentialForm = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('apiKey'), ...common, value: Sendable }),
  z.strictObject({ kind: z.literal('bearer'), ...common, token: Sendable }),
  z
    .strictObject({ kind: z.literal('basic'), ...common, username: Username, password: Password })
    // some take a key as the name and no password
    .refine(
      ({ username, password }) => Math.max(username.length, password.length) >= 4,
      'needs a name or a password of 4 characters',
    ),
  z.strictObject({
    kind: z.literal('clientCredentials'),
    ...common,
    ...Client,
    clientSecret: Sendable,
    audience: z.string().min(1).max(2_000).exactOptional(),
    auth: z.enum(['basic', 'post']).default('basic'),
  }),
  z.strictObject({
    kind: z.literal('authorizationCode'),
    ...common,
    ...Client,
    /** What it asks for beside the standard (`?access_type=offline`) stands in its query. */
    authorizeUrl: Endpoint,
    /** A public client has none: PKCE alone protects its codes. */
    clientSecret: Sendable.exactOptional(),
    auth: z.enum(['basic', 'post']).default('basic'),
    /** Whose consent it is: one for the whole house, or each person's own. */
    for: z.enum(['tenant', 'principal']),
  }),
])
export type CredentialForm = z.input<typeof CredentialForm>
export type ParsedCredential = z.output<typeof CredentialForm>
