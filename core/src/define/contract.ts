import type { ApprovalKind } from '../call/approval.ts'
import type { AttributeRule } from '../call/attribute-rule.ts'
import type { Caller, Condition } from '../call/caller.ts'
import type { ToolError } from '../call/tool-error.ts'
import type { Duration } from './duration.ts'

/** A capability a tool asks for, perhaps only over some data, perhaps only under conditions. */
export type RequiredCapability = {
  readonly name: string
  readonly scope?: string
  readonly conditions?: readonly Condition[]
}

export type Permissions = {
  /** Any of these. */
  readonly roles?: readonly string[]
  /** All of these. */
  readonly capabilities?: readonly (string | RequiredCapability)[]
  /** What it touches, where that is not what its capabilities say. */
  readonly resources?: readonly ResourceNeed[]
  /** Only where this holds of the caller, the tool, the input and the moment. */
  readonly when?: AttributeRule
}

/** Data a tool touches, in document 004's words. */
export type ResourceNeed = {
  readonly type:
    | 'habit_data'
    | 'task_data'
    | 'project_data'
    | 'user_preferences'
    | 'system_config'
    | 'external_api'
    | 'filesystem'
  readonly mode: 'read' | 'write' | 'delete' | 'create' | 'update'
  readonly scope?: string
}

export type Limit<I> = {
  readonly calls: number
  readonly per: Duration
  /** Whose calls are counted together: each principal's (default), the tenant's, or what the input names. */
  readonly by?: 'principal' | 'tenant' | ((input: I) => string)
}

/** A counter without refill, under a key of the domain (two discovery calls a post). */
export type Budget<I> = {
  readonly name: string
  readonly max: number
  readonly key: (input: I) => string
}

/** What a gate sees. */
export type Moment<I, P> = {
  readonly input: I
  readonly ports: P
  readonly caller: Caller
  readonly now: () => number
}

/** A condition of the moment: flags, domain state, consent, cooldown. It answers why not, or nothing. */
export type Gate<I, P> = {
  readonly name: string
  readonly check: (moment: Moment<I, P>) => GateAnswer | Promise<GateAnswer>
}
export type GateAnswer =
  | undefined
  | { readonly message: string; readonly details?: Readonly<Record<string, unknown>> }

export type ApprovalRule<I> =
  | ((input: I) => string)
  | {
      readonly kind?: ApprovalKind
      /** The sentence that is read back to whoever decides. */
      readonly asks: (input: I) => string
      readonly expires?: Duration
      /** Only for these inputs. */
      readonly when?: (input: I) => boolean
    }

export type CacheRule<I> = {
  readonly ttl: Duration | ((input: I) => Duration)
  /** One entry for all principals of a tenant; refused for tools with scoped capabilities. */
  readonly shared?: true
  /** Inputs that go past the cache and renew it. */
  readonly fresh?: (input: I) => boolean
}

type Common<I, P> = {
  readonly permissions?: Permissions
  readonly auth?: 'none' | 'session' | 'service'
  /** Bounds one attempt. */
  readonly timeout?: Duration
  readonly retries?: number
  /** How many jobs of it are worked on at once, over all nodes, for each tenant. */
  readonly concurrency?: number
  /** Soft: measured and shown, never an error. */
  readonly latencyBudget?: Duration
  readonly limits?: readonly Limit<I>[]
  readonly budgets?: readonly Budget<I>[]
  readonly gates?: readonly Gate<I, P>[]
  readonly maxInputBytes?: number
  readonly outputValidation?: 'strict' | 'lenient' | 'disabled'
  /** `advisory` notes what is missing and lets the call pass; for documents that say so. */
  readonly permissionCheck?: 'required' | 'advisory' | 'disabled'
  readonly unknownKeys?: 'strip' | 'refuse'
  readonly securityLevel?: 'public' | 'internal' | 'confidential' | 'restricted'
}

type NeverOfAWrite = { readonly cache?: never; readonly fallback?: never; readonly audit?: never }
type NeverOfARead = {
  readonly reversible?: never
  readonly idempotency?: never
  readonly approval?: never
  readonly onRefusal?: never
}

/** A read may be cached, shared and answered by a fallback. */
export type ReadContract<I, O, P> = Common<I, P> &
  NeverOfARead & {
    readonly effect: 'none' | 'read'
    /** A duration alone is the `ttl` of a rule. */
    readonly cache?: Duration | CacheRule<I>
    /** What to answer, marked as degraded, when the real thing failed; undefined declines. */
    readonly fallback?: (
      moment: Moment<I, P>,
      failure: ToolError,
    ) => O | undefined | Promise<O | undefined>
    readonly audit?: 'batched' | 'before-answer'
  }

/** Moving about on a page: neither cached nor shared. */
export type NavigationContract<I, P> = Common<I, P> &
  NeverOfARead & {
    readonly effect: 'read-only-nav'
    readonly cache?: never
    readonly fallback?: never
    readonly audit?: never
  }

/** A write says whether it can be undone and what makes two calls the same one. */
export type WriteContract<I, P> = Common<I, P> &
  NeverOfAWrite & {
    readonly effect: `writes.${string}`
    readonly reversible: boolean
    /** `caller`: whoever calls brings the key. A function: the input's natural identity is the key. */
    readonly idempotency: 'caller' | ((input: I) => string)
    readonly approval?: ApprovalRule<I>
    /** A provider's refusal is the key's answer, unless it may be sent again (messages). */
    readonly onRefusal?: 'keep' | 'release'
  }

/** What the runtime keeps on every call. Illegal combinations don't compile. */
export type Contract<I, O, P> =
  | ReadContract<I, O, P>
  | NavigationContract<I, P>
  | WriteContract<I, P>
