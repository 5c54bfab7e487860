import { z } from 'zod'

/**
 * The name of a credential. `github.bearerAuth` is used by default for the scheme `bearerAuth` of
 * the import `github`.
 */
export const CredentialId = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,95}$/, 'is 1 to 96 letters, digits, ".", "-" and "_"')

// A shorter secret occurs in ordinary text by chance, so it could not be scrubbed from messages.
const Sendable = z
  .string()
  .regex(/^[\x21-\x7e][\x20-\x7e]{2,8190}[\x21-\x7e]$/, 'is 4 to 8192 printable ASCII characters')
// Unicode is allowed, except what would break a header or the `name:password` pair.
const Password = z
  .string()
  .regex(/^\P{Cc}{0,1024}$/u, 'is at most 1024 characters without controls')
const Username = z
  .string()
  .regex(/^[^\p{Cc}:]{0,1024}$/u, 'is at most 1024 characters without ":" and controls')
const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'is an OAuth scope')

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Whether a secret may be sent to this URL: only with TLS, or to a loopback address. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))
}

const Endpoint = z
  .string()
  .max(2_000)
  .refine(isSafeUrl, 'is an https URL without user name and fragment')
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

/** A credential as an administrator enters it. Its secret is sent to these origins only. */
export const CredentialForm = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('apiKey'), ...common, value: Sendable }),
  z.strictObject({ kind: z.literal('bearer'), ...common, token: Sendable }),
  z
    .strictObject({ kind: z.literal('basic'), ...common, username: Username, password: Password })
    // Some APIs take a key as the user name and no password.
    .refine(
      ({ username, password }) => Math.max(username.length, password.length) >= 4,
      'needs a user name or a password of at least 4 characters',
    ),
  z.strictObject({
    kind: z.literal('aws'),
    ...common,
    accessKeyId: z.string().regex(/^[\w.-]{4,128}$/, 'is an access key id, such as AKIA…'),
    secretAccessKey: Sendable,
    /** Of temporary credentials. */
    sessionToken: Sendable.exactOptional(),
    region: z.string().regex(/^[a-z0-9-]{2,40}$/, 'is a region such as eu-west-1'),
    /** The service's name in signatures, where it cannot be read from the host. */
    service: z
      .string()
      .regex(/^[\w-]{1,60}$/, 'is a service such as execute-api')
      .exactOptional(),
  }),
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
    /** Vendor parameters such as `?access_type=offline` are part of its query. */
    authorizeUrl: Endpoint,
    /** Left out for a public client, whose codes are protected by PKCE alone. */
    clientSecret: Sendable.exactOptional(),
    auth: z.enum(['basic', 'post']).default('basic'),
    /** Who consents: an administrator for the whole tenant, or each person for themselves. */
    for: z.enum(['tenant', 'principal']),
  }),
  z.strictObject({
    kind: z.literal('environment'),
    /** The MCP server of the configuration whose process gets them; it is sent nowhere else. */
    server: z.string().min(1).max(64),
    variables: z.record(
      z.string().regex(/^[A-Za-z_]\w{0,127}$/, 'is the name of a variable'),
      // Keys of several lines are common here.
      z
        .string()
        .min(4)
        .max(8_192)
        .refine((value) => !value.includes('\0'), 'contains a character that no variable can hold'),
    ),
  }),
])
export type CredentialForm = z.input<typeof CredentialForm>
export type ParsedCredential = z.output<typeof CredentialForm>
