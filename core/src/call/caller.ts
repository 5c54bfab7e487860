import type { AttributeRule } from './attribute-rule.ts'

export type Condition = {
  readonly type: 'time_restriction' | 'rate_limit' | 'user_consent' | 'admin_approval'
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A capability someone holds, perhaps only over some data, under conditions, or where a rule holds. */
export type Grant = {
  /** `habit.read`; `habit.*` and `*` stand for all they cover. */
  readonly name: string
  /** Without one, the scope that the capability usually has. */
  readonly scope?: string
  readonly conditions?: readonly Condition[]
  readonly when?: AttributeRule
}

/**
 * On whose behalf a call is made. It comes from the token, the process or the CLI profile;
 * nothing in a tool's input can set or widen it.
 */
export type Caller = {
  readonly tenant: string
  readonly principal: string
  /** `ai_agent` acts for the principal, with no more than was delegated. */
  readonly actor: 'user' | 'ai_agent' | 'system'
  readonly roles: readonly string[]
  readonly capabilities: readonly (string | Grant)[]
  /** What the principal handed to its agent (`habit.*` stands for all it covers); without it, the default delegation holds. */
  readonly delegated?: readonly string[]
  /** Of all that, what the credential is good for; without it, everything. */
  readonly scopes?: readonly string[]
  readonly session?: string
  readonly timeZone?: string
  readonly locale?: string
}

/** The tenant of callers that name none. */
export const DEFAULT_TENANT = 'default'

/** The caller of requests without a sign-in: it has no roles and no capabilities. */
export const ANONYMOUS: Caller = Object.freeze({
  tenant: DEFAULT_TENANT,
  principal: 'anonymous',
  actor: 'user',
  roles: [],
  capabilities: [],
})
