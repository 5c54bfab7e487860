import { once } from '@surehand/core/internal'
import { z } from 'zod'
import { hashSecret, newSecret } from './secret.ts'

const Name = z.string().min(1).max(200)
/**
 * The id of a person or agent. It is part of keys, so it is short and has no invisible characters.
 */
export const principalId = once(() =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, 'is 1 to 128 printable ASCII characters without spaces')
    // A URL with one of these as a part of its path means another path, so the administration could
    // not reach the principal.
    .refine((id) => id !== '.' && id !== '..', 'is not "." or ".."'),
)
export const tenantId = once(() =>
  z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is lower-case letters, digits and hyphens, at most 63'),
)

const Condition = z.looseObject({ type: z.string() })
const Grant = z.looseObject({
  name: Name,
  scope: z.string().exactOptional(),
  conditions: z.array(Condition).exactOptional(),
})

/** A person or agent, as an administrator enters them. */
export const PrincipalRecord = z.strictObject({
  name: Name.exactOptional(),
  roles: z.array(Name).max(50).default([]),
  capabilities: z
    .array(z.union([Name, Grant]))
    .max(500)
    .default([]),
  /** The capabilities that their agents get. Without it, the default delegation applies. */
  delegated: z.array(Name).max(500).exactOptional(),
  disabled: z.boolean().default(false),
  timeZone: z.string().max(64).exactOptional(),
  locale: z.string().max(35).exactOptional(),
})
export type PrincipalRecord = z.infer<typeof PrincipalRecord>

export const TenantRecord = z.strictObject({ name: Name, disabled: z.boolean().default(false) })
export type TenantRecord = z.infer<typeof TenantRecord>

/** The request for a new token. */
export const tokenForm = once(() =>
  z.strictObject({
    principal: principalId(),
    name: Name,
    /** `ai_agent`: it acts for the principal, with the delegated capabilities. */
    actor: z.enum(['user', 'ai_agent']).default('user'),
    /**
     * Limits the principal's permissions for this token; it cannot add any. Without it, the token
     * has all of them.
     */
    scopes: z.array(Name).max(200).exactOptional(),
    expiresInSeconds: z
      .int()
      .min(1)
      .max(10 * 365 * 86_400)
      .exactOptional(),
  }),
)
export type TokenForm = z.input<ReturnType<typeof tokenForm>>

/** A stored token, with only the hash and the last four characters of its secret. */
export const tokenRecord = once(() =>
  z.strictObject({
    principal: principalId(),
    name: Name,
    actor: z.enum(['user', 'ai_agent']),
    scopes: z.array(Name).exactOptional(),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    lastFour: z.string().length(4),
    /** The consent of a person to an OAuth client. Its secret is known to nobody: see `clientGrantRecord`. */
    oauth: z
      .strictObject({
        client: z.string().min(1).max(2_000),
        resource: z.string().min(1).max(2_000),
      })
      .exactOptional(),
    createdBy: z.string(),
    createdAt: z.number(),
    expiresAt: z.number().exactOptional(),
    revokedAt: z.number().exactOptional(),
  }),
)
export type TokenRecord = z.infer<ReturnType<typeof tokenRecord>>

/** What a person consents to: an OAuth client acts for them as an agent. */
export type ClientGrant = Pick<TokenRecord, 'principal' | 'name' | 'scopes'> &
  Required<Pick<TokenRecord, 'oauth' | 'expiresAt'>>

/**
 * The record of a consent. It is a token like the others, for lists, revocation and delegation, but
 * no text signs in with it: the client presents short-lived access tokens that name the record.
 */
export function clientGrantRecord(grant: ClientGrant, now: number): TokenRecord {
  const unknown = newSecret()
  return {
    ...grant,
    actor: 'ai_agent',
    hash: hashSecret(unknown),
    lastFour: unknown.slice(-4),
    createdBy: grant.principal,
    createdAt: now,
  }
}

/** A link that signs a person in once. */
export const linkRecord = once(() =>
  z.strictObject({
    principal: principalId(),
    roles: z.array(Name),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    expiresAt: z.number(),
    usedAt: z.number().exactOptional(),
  }),
)
export type LinkRecord = z.infer<ReturnType<typeof linkRecord>>
