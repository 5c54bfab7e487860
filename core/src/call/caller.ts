import type { AttributeRule } from './attribute-rule.ts'

/** A condition on a capability: a time of day, a rate limit, or an approval. */
export type Condition = {
  readonly type: 'time_restriction' | 'rate_limit' | 'user_consent' | 'admin_approval'
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * A capability that a caller holds; it may be limited to some data, to conditions, or to a rule
 * over attributes.
 */
export type Grant = {
  /** `habit.read`; `habit.*` and `*` include every capability they match. */
  readonly name: string
  /** Default: the usual scope of the capability. */
  readonly scope?: string
  readonly conditions?: readonly Condition[]
  readonly when?: AttributeRule
}

/**
 * Who makes a call. A caller comes from a token, the process or the CLI profile; nothing in a
 * tool's input can set or widen it.
 *
 * @example
 * const caller: Caller = {
 *   tenant: 'acme',
 *   principal: 'ann',
 *   actor: 'user',
 *   roles: ['user'],
 *   capabilities: ['orders.read'],
 * }
 */
export type Caller = {
  readonly tenant: string
  readonly principal: string
  /** `ai_agent` acts for the principal, with no more than was delegated. */
  readonly actor: 'user' | 'ai_agent' | 'system'
  readonly roles: readonly string[]
  readonly capabilities: readonly (string | Grant)[]
  /**
   * The capabilities that the principal delegated to its agent (`habit.*` is allowed); without it,
   * the default delegation applies.
   */
  readonly delegated?: readonly string[]
  /**
   * Limits the credential to these capabilities; without it, the credential is good for all of
   * them.
   */
  readonly scopes?: readonly string[]
  readonly session?: string
  /**
   * The address that the request came from, where a surface knows it. It is not stored: a call that
   * is resumed by a worker has none.
   */
  readonly ip?: string
  readonly timeZone?: string
  readonly locale?: string
}

/** The tenant of callers that name none. */
export const DEFAULT_TENANT = 'default'

/**
 * The caller of requests without a sign-in: it has no roles and no capabilities.
 *
 * @example
 * const outcome = await runtime.call({ tool: weather, input: { city: 'Lisbon' }, caller: ANONYMOUS })
 */
export const ANONYMOUS: Caller = Object.freeze({
  tenant: DEFAULT_TENANT,
  principal: 'anonymous',
  actor: 'user',
  roles: [],
  capabilities: [],
})
