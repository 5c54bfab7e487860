import type { ApprovalKind } from '../call/approval.ts'
import type { AttributeRule } from '../call/attribute-rule.ts'
import type { Caller, Condition } from '../call/caller.ts'
import type { ToolError } from '../call/tool-error.ts'
import type { Duration } from './duration.ts'

/** A capability that a tool requires; it may be limited to some data or to conditions. */
export type RequiredCapability = {
  readonly name: string
  readonly scope?: string
  readonly conditions?: readonly Condition[]
}

/**
 * What a caller needs for a tool: any of the roles, all of the capabilities, and a rule over
 * attributes.
 *
 * @example
 * const permissions: Permissions = { roles: ['user'], capabilities: ['orders.write'] }
 */
export type Permissions = {
  /** Any of these. */
  readonly roles?: readonly string[]
  /** All of these. */
  readonly capabilities?: readonly (string | RequiredCapability)[]
  /** The resources it uses, where its capabilities do not imply them. */
  readonly resources?: readonly ResourceNeed[]
  /**
   * A rule over the caller, the tool, the input and the time; the call is refused where it is
   * false.
   */
  readonly when?: AttributeRule
}

/** Data that a tool uses, in document 004's vocabulary. */
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

/**
 * A rate limit: so many calls per window, counted per principal, per tenant or by a value of the
 * input.
 *
 * @example
 * const limit: Limit<{ to: string }> = { calls: 10, per: '1m', by: ({ to }) => to }
 */
export type Limit<I> = {
  readonly calls: number
  readonly per: Duration
  /**
   * Which calls are counted together: those of a principal (default), of the tenant, or of what the
   * input names.
   */
  readonly by?: 'principal' | 'tenant' | ((input: I) => string)
  /** The domain's own code for exceeding it, in the error's `details.source_code`. */
  readonly sourceCode?: string
}

/**
 * A counter that is never refilled, under a key of the domain, such as two reminders per invoice.
 *
 * @example
 * const budget: Budget<{ invoice: string }> = { name: 'reminders', max: 2, key: ({ invoice }) => invoice }
 */
export type Budget<I> = {
  readonly name: string
  readonly max: number
  readonly key: (input: I) => string
}

/** What gates, checks and fallbacks are given. */
export type Moment<I, P> = {
  readonly input: I
  readonly ports: P
  readonly caller: Caller
  readonly now: () => number
}

/**
 * A condition that is checked at the time of the call, such as a feature flag or the state of an
 * order. It returns why the call is refused, or undefined.
 *
 * @example
 * const isOpen: Gate<{ shop: string }, unknown> = {
 *   name: 'open',
 *   check: ({ now }) =>
 *     new Date(now()).getUTCHours() < 18 ? undefined : { message: 'The shop closes at 18:00 UTC.' },
 * }
 */
export type Gate<I, P> = {
  readonly name: string
  readonly check: (moment: Moment<I, P>) => GateAnswer | Promise<GateAnswer>
}
export type GateAnswer =
  | undefined
  | { readonly message: string; readonly details?: Readonly<Record<string, unknown>> }

/**
 * What the facts of an approval are made of: JSON, in which members may be left out.
 *
 * @example
 * const facts: Fact = { lines: [{ product: 'Red roses', quantity: 2 }], total: '79.80 EUR' }
 */
export type Fact =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Fact[]
  | { readonly [name: string]: Fact }

/** What `facts` is given: the ports with their reading methods only, and a signal to stop by. */
export type FactsMoment<I, P> = Moment<I, P> & { readonly signal: AbortSignal }

/**
 * What the approver reads first, where one sentence is not enough.
 *
 * @example
 * const text: ApprovalText = {
 *   headline: 'Book two nights in the Hotel Aurora for 240.00 EUR?',
 *   facts: { Guests: 2, Arrival: 'Friday, 4 December' },
 *   consequence: 'The card is charged at once, and the hotel gives no refund.',
 * }
 */
export type ApprovalText = {
  /** The question in one sentence, with the amount where there is one. */
  readonly headline: string
  /** What matters most, in the order to read it in; the complete input is shown as well. */
  readonly facts?: Readonly<Record<string, string | number>>
  /** What happens after the approval, and whether it can be undone. */
  readonly consequence?: string
}

/**
 * When a call needs an approval, whose, and the sentence that the approver is shown. A function
 * alone means: always, by the caller.
 *
 * Where the input does not say everything that is approved, `facts` reads the rest from the ports:
 * the total of a cart, the terms of a booking. They are shown and stored with the request, and read
 * again just before the effect. If they differ then, nothing is done and the person is asked again.
 * So they hold only what must not change; a quote's id that is new at every reading does not belong
 * to them.
 *
 * @example
 * const approval: ApprovalRule<{ euros: number }> = {
 *   asks: ({ euros }) => `Pay ${euros} €?`,
 *   when: ({ euros }) => euros > 100,
 *   expires: '15m',
 * }
 * type Quote = { hotel: string; total: string; cancellation: string }
 * type Stays = { quote: (stay: { id: string }, signal: AbortSignal) => Promise<Quote> }
 * const booking: ApprovalRule<{ id: string }, { stays: Stays }> = {
 *   facts: ({ input, ports, signal }) => ports.stays.quote(input, signal),
 *   asks: (_, quote: Quote) => `Book ${quote.hotel} for ${quote.total}?`,
 * }
 */
export type ApprovalRule<I, P = unknown> =
  | ((input: I) => string | ApprovalText)
  | {
      readonly kind?: ApprovalKind
      /**
       * What the approver reads first: a sentence, or more. A second parameter is what `facts` returned:
       * annotate it with that type. (`never` accepts any annotation.)
       */
      readonly asks: (input: I, facts: never) => string | ApprovalText
      readonly expires?: Duration
      /** Only for these inputs. */
      readonly when?: (input: I) => boolean
      /** Reads what is approved beside the input. It is shown to people, so it holds no secret. */
      readonly facts?: (moment: FactsMoment<I, P>) => Promise<Fact>
      /**
       * No approval is needed where this is true of the facts, such as a checkout that takes no
       * payment. A policy that demands an approval demands it all the same.
       */
      readonly unless?: (input: I, facts: never) => boolean
    }

type FieldName<I> = I extends unknown ? keyof I & string : never

/**
 * How long the answer of a read is cached, and for whom.
 *
 * @example
 * const cache: CacheRule<{ city: string }> = { ttl: '10m', shared: true }
 */
export type CacheRule<I> = {
  readonly ttl: Duration | ((input: I) => Duration)
  /** One entry for all principals of a tenant; not allowed for tools with scoped capabilities. */
  readonly shared?: true
  /**
   * Which inputs bypass the cache. The name of a boolean field: the field is no part of the cache's
   * key, so the answer renews the entry that inputs without it read.
   */
  readonly fresh?: FieldName<I> | ((input: I) => boolean)
}

type Common<I, P> = {
  readonly permissions?: Permissions
  readonly auth?: 'none' | 'session' | 'service'
  /** Time limit of one attempt. */
  readonly timeout?: Duration
  readonly retries?: number
  /** How many of its jobs run at once, per tenant and over all nodes. */
  readonly concurrency?: number
  /** A target that is measured and reported; exceeding it is not an error. */
  readonly latencyBudget?: Duration
  readonly limits?: readonly Limit<I>[]
  readonly budgets?: readonly Budget<I>[]
  readonly gates?: readonly Gate<I, P>[]
  readonly maxInputBytes?: number
  readonly outputValidation?: 'strict' | 'lenient' | 'disabled'
  /** `advisory` notes missing permissions and lets the call pass; for definitions that say so. */
  readonly permissionCheck?: 'required' | 'advisory' | 'disabled'
  readonly unknownKeys?: 'strip' | 'refuse'
  readonly securityLevel?: 'public' | 'internal' | 'confidential' | 'restricted'
  /** `steps`: a part of other tools, which is not listed to agents. */
  readonly audience?: 'everyone' | 'steps'
}

type NeverOfAWrite = { readonly cache?: never; readonly fallback?: never; readonly audit?: never }
type NeverOfARead = {
  readonly reversible?: never
  readonly idempotency?: never
  readonly approval?: never
  readonly onRefusal?: never
}

/**
 * The contract of a read, which may be cached, shared and answered by a fallback.
 *
 * @example
 * const contract: ReadContract<{ city: string }, { celsius: number }, unknown> = {
 *   effect: 'read',
 *   timeout: '2s',
 *   cache: '10m',
 * }
 */
export type ReadContract<I, O, P> = Common<I, P> &
  NeverOfARead & {
    readonly effect: 'none' | 'read'
    /** A duration alone is the `ttl` of a rule. */
    readonly cache?: Duration | CacheRule<I>
    /** A substitute answer, marked as degraded, when `execute` failed; undefined declines. */
    readonly fallback?: (
      moment: Moment<I, P>,
      failure: ToolError,
    ) => O | undefined | Promise<O | undefined>
    readonly audit?: 'batched' | 'before-answer'
  }

/** Navigation in a page: neither cached nor shared. */
export type NavigationContract<I, P> = Common<I, P> &
  NeverOfARead & {
    readonly effect: 'read-only-nav'
    readonly cache?: never
    readonly fallback?: never
    readonly audit?: never
  }

/**
 * The contract of a write, which says whether it can be undone and what makes two calls the same.
 *
 * @example
 * const contract: WriteContract<{ order: string }, unknown> = {
 *   effect: 'writes.order',
 *   reversible: true,
 *   idempotency: ({ order }) => order,
 * }
 */
export type WriteContract<I, P> = Common<I, P> &
  NeverOfAWrite & {
    readonly effect: `writes.${string}`
    readonly reversible: boolean
    /** `caller`: the caller sends the key. A function: the key is derived from the input. */
    readonly idempotency: 'caller' | ((input: I) => string)
    readonly approval?: ApprovalRule<I, P>
    /**
     * Whether a provider's refusal is stored as the answer of the key, or the key is released to be
     * tried again.
     */
    readonly onRefusal?: 'keep' | 'release'
  }

/**
 * The rules that the runtime enforces on every call of a tool. Combinations that make no sense,
 * such as a cached write, do not compile.
 *
 * @example
 * const contract: Contract<{ city: string }, { celsius: number }, unknown> = { effect: 'read', retries: 2 }
 */
export type Contract<I, O, P> =
  | ReadContract<I, O, P>
  | NavigationContract<I, P>
  | WriteContract<I, P>
