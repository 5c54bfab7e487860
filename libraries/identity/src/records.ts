import { once } from '@surehand/core/internal'
import { z } from 'zod'

const Name = z.string().min(1).max(200)
/** What people, agents and houses are called: it goes into keys, so it is short and holds nothing invisible. */
export const principalId = once(() =>
  z.string().regex(/^[\x21-\x7e]{1,128}$/, 'is 1 to 128 printable ASCII characters without spaces'),
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

/** Somebody, as an administrator writes them down. */
export const PrincipalRecord = z.strictObject({
  name: Name.exactOptional(),
  roles: z.array(Name).max(50).default([]),
  capabilities: z
    .array(z.union([Name, Grant]))
    .max(500)
    .default([]),
  /** What they hand to their agents; without it, the default delegation holds. */
  delegated: z.array(Name).max(500).exactOptional(),
  disabled: z.boolean().default(false),
  timeZone: z.string().max(64).exactOptional(),
  locale: z.string().max(35).exactOptional(),
})
export type PrincipalRecord = z.infer<typeof PrincipalRecord>

export const TenantRecord = z.strictObject({ name: Name, disabled: z.boolean().default(false) })
export type TenantRecord = z.infer<typeof TenantRecord>

/** A token as it is asked for. */
export const tokenForm = once(() =>
  z.strictObject({
    principal: principalId(),
    name: Name,
    /** `ai_agent`: it acts for the principal, with what was delegated. */
    actor: z.enum(['user', 'ai_agent']).default('user'),
    /** Of what the principal may do, what this token may; a scope beyond that opens nothing. Without it: all. */
    scopes: z.array(Name).max(200).exactOptional(),
    expiresInSeconds: z
      .int()
      .min(1)
      .max(10 * 365 * 86_400)
      .exactOptional(),
  }),
)
export type TokenForm = z.input<ReturnType<typeof tokenForm>>

/** A token as it is kept: of the secret only its hash and last four characters. */
export const tokenRecord = once(() =>
  z.strictObject({
    principal: principalId(),
    name: Name,
    actor: z.enum(['user', 'ai_agent']),
    scopes: z.array(Name).exactOptional(),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    lastFour: z.string().length(4),
    createdBy: z.string(),
    createdAt: z.number(),
    expiresAt: z.number().exactOptional(),
    revokedAt: z.number().exactOptional(),
  }),
)
export type TokenRecord = z.infer<ReturnType<typeof tokenRecord>>

/** A link that signs somebody in once. */
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
