import { APPROVAL_EXPIRES, type ApprovalKind } from '../call/approval.ts'
import { type AttributeRule, ruleTrouble } from '../call/attribute-rule.ts'
import { isRecord } from '../call/canonical.ts'
import type { ToolError } from '../call/tool-error.ts'
import { readCondition } from './condition.ts'
import type {
  ApprovalText,
  Budget,
  CacheRule,
  Contract,
  FactsMoment,
  Gate,
  Moment,
  RequiredCapability,
  ResourceNeed,
} from './contract.ts'
import { toMs } from './duration.ts'
import { usualScope } from './standard-capabilities.ts'

/** The contract with every default filled in: stages read this and know no defaults. */
export type NormalContract = {
  readonly effect: string
  readonly isWrite: boolean
  readonly reversible: boolean
  readonly idempotency: 'none' | 'caller' | ((input: unknown) => string)
  readonly roles: readonly string[]
  readonly capabilities: readonly RequiredCapability[]
  readonly capabilityNames: readonly string[]
  readonly resources: readonly ResourceNeed[]
  readonly when: AttributeRule | undefined
  readonly auth: 'none' | 'session' | 'service'
  readonly timeoutMs: number
  readonly retries: number
  readonly concurrency: number | undefined
  readonly latencyBudgetMs: number
  readonly limits: readonly NormalLimit[]
  readonly budgets: readonly Budget<unknown>[]
  readonly gates: readonly Gate<unknown, unknown>[]
  readonly approval: NormalApproval | undefined
  readonly cache: NormalCache | undefined
  readonly fallback: ((moment: Moment<unknown, unknown>, failure: ToolError) => unknown) | undefined
  readonly onRefusal: 'keep' | 'release'
  readonly maxInputBytes: number
  readonly outputValidation: 'strict' | 'lenient' | 'disabled'
  readonly permissionCheck: 'required' | 'advisory' | 'disabled'
  readonly unknownKeys: 'strip' | 'refuse'
  readonly audit: 'batched' | 'before-answer'
  readonly securityLevel: 'public' | 'internal' | 'confidential' | 'restricted'
  readonly audience: 'everyone' | 'steps'
}

export type NormalLimit = {
  readonly calls: number
  readonly windowMs: number
  readonly sourceCode?: string | undefined
  readonly by: 'principal' | 'tenant' | ((input: unknown) => string)
}
export type NormalApproval = {
  readonly kind: ApprovalKind
  readonly asks: (input: unknown, facts?: unknown) => string | ApprovalText
  readonly expiresMs: number
  readonly when: (input: unknown) => boolean
  readonly facts?: ((moment: FactsMoment<unknown, unknown>) => Promise<unknown>) | undefined
  /** Of the facts as they were read: true where no approval is needed after all. */
  readonly unless?: ((input: unknown, facts: unknown) => boolean) | undefined
}
export type NormalCache = {
  readonly ttlMs: (input: unknown) => number
  readonly shared: boolean
  readonly fresh: (input: unknown) => boolean
  /** The boolean field that bypasses the cache, which is no part of its key. */
  readonly freshField?: string
}

const DEFAULTS = {
  timeout: '10s',
  latencyBudget: '400ms',
  readRetries: 1,
  writeRetries: 0,
  maxInputBytes: 1024 * 1024,
} as const

/** Author's form to normal form: the one place where defaults live. */
export function normalContract(written: Contract<never, never, never>): NormalContract {
  // types are erased here: the functions of a contract are only ever given the input that its own
  // schema has parsed
  const contract = written as unknown as Contract<unknown, unknown, unknown>
  const isWrite = contract.effect.startsWith('writes.')
  const normal: NormalContract = {
    effect: contract.effect,
    isWrite,
    reversible: contract.reversible ?? true,
    idempotency: contract.idempotency ?? 'none',
    roles: contract.permissions?.roles ?? [],
    capabilities: (contract.permissions?.capabilities ?? []).map((capability) =>
      typeof capability === 'string' ? { name: capability } : capability,
    ),
    capabilityNames: (contract.permissions?.capabilities ?? []).map((capability) =>
      typeof capability === 'string' ? capability : capability.name,
    ),
    resources: contract.permissions?.resources ?? [],
    when: contract.permissions?.when,
    auth: contract.auth ?? 'none',
    timeoutMs: toMs(contract.timeout ?? DEFAULTS.timeout),
    retries: wholeNumber(
      'retries',
      contract.retries ?? (isWrite ? DEFAULTS.writeRetries : DEFAULTS.readRetries),
    ),
    concurrency:
      contract.concurrency === undefined
        ? undefined
        : wholeNumber('concurrency', contract.concurrency, 1),
    latencyBudgetMs: toMs(contract.latencyBudget ?? DEFAULTS.latencyBudget),
    limits: (contract.limits ?? []).map((limit) => ({
      calls: wholeNumber('limits.calls', limit.calls),
      windowMs: toMs(limit.per),
      ...(limit.sourceCode === undefined ? {} : { sourceCode: limit.sourceCode }),
      by: limit.by ?? 'principal',
    })),
    budgets: contract.budgets ?? [],
    gates: contract.gates ?? [],
    approval: normalApproval(contract.approval),
    cache: normalCache(contract.cache),
    fallback: contract.fallback,
    onRefusal: contract.onRefusal ?? 'keep',
    maxInputBytes: wholeNumber('maxInputBytes', contract.maxInputBytes ?? DEFAULTS.maxInputBytes),
    outputValidation: contract.outputValidation ?? 'strict',
    permissionCheck: contract.permissionCheck ?? 'required',
    unknownKeys: contract.unknownKeys ?? 'strip',
    audit: contract.audit ?? 'batched',
    securityLevel: contract.securityLevel ?? (isOpen(contract) ? 'public' : 'internal'),
    audience: contract.audience ?? 'everyone',
  }
  refuseUnkeepable(normal)
  refuseSharedScopes(normal)
  return Object.freeze(normal)
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** The longest pause before a retry; the actual one is a random part of it. */
export function longestPauseMs(retry: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry)
}

/**
 * How long a call may take in all: every attempt, each after reading the facts of its approval, and
 * every pause between them.
 */
export function callBudgetMs({
  timeoutMs,
  retries,
  approval,
}: Pick<NormalContract, 'timeoutMs' | 'retries'> &
  Partial<Pick<NormalContract, 'approval'>>): number {
  let pausesMs = 0
  for (let retry = 0; retry < retries; retry++) pausesMs += longestPauseMs(retry)
  const readingsMs = approval?.facts === undefined ? 0 : timeoutMs
  return (retries + 1) * (timeoutMs + readingsMs) + pausesMs
}

function normalApproval(
  rule: Contract<unknown, unknown, unknown>['approval'],
): NormalApproval | undefined {
  if (rule === undefined) return undefined
  if (typeof rule === 'function')
    return { kind: 'confirm', asks: rule, expiresMs: toMs(APPROVAL_EXPIRES), when: always }
  if (rule.facts === undefined && rule.asks.length > 1)
    throw new TypeError('approval.asks takes facts, but the approval reads none: add `facts`.')
  if (rule.facts === undefined && rule.unless !== undefined)
    throw new TypeError('approval.unless takes facts, but the approval reads none: add `facts`.')
  return {
    kind: rule.kind ?? 'confirm',
    // types are erased here: the second parameter is only ever what this rule's `facts` returned
    asks: rule.asks as NormalApproval['asks'],
    expiresMs: toMs(rule.expires ?? APPROVAL_EXPIRES),
    when: rule.when ?? always,
    facts: rule.facts,
    // erased, as above
    unless: rule.unless as NormalApproval['unless'],
  }
}

function normalFresh(rule: CacheRule<unknown>['fresh']): Pick<NormalCache, 'fresh' | 'freshField'> {
  if (typeof rule !== 'string') return { fresh: rule ?? never }
  return { fresh: (input) => isRecord(input) && input[rule] === true, freshField: rule }
}

function normalCache(given: Contract<unknown, unknown, unknown>['cache']): NormalCache | undefined {
  if (given === undefined) return undefined
  const rule = typeof given === 'string' ? { ttl: given } : given
  const { ttl } = rule
  return {
    ttlMs: typeof ttl === 'function' ? (input) => toMs(ttl(input)) : constant(toMs(ttl)),
    shared: rule.shared ?? false,
    ...normalFresh(rule.fresh),
  }
}

// a tool that requires no sign-in, role or capability is for everyone
function isOpen({ auth = 'none', permissions = {} }: Contract<unknown, unknown, unknown>): boolean {
  return (
    auth === 'none' &&
    (permissions.roles ?? []).length === 0 &&
    (permissions.capabilities ?? []).length === 0
  )
}

// a condition that cannot be parsed would not be enforced
function refuseUnkeepable(contract: NormalContract): void {
  for (const { name, scope, conditions = [] } of contract.capabilities) {
    if (scope === '')
      throw new TypeError(`The capability ${name} has an empty scope: leave it out, or name one.`)
    for (const condition of conditions) readCondition(condition)
  }
  const trouble = contract.when === undefined ? undefined : ruleTrouble(contract.when)
  if (trouble !== undefined)
    throw new TypeError(`The rule in permissions.when cannot be enforced: ${trouble}.`)
}

function always(): boolean {
  return true
}

function never(): boolean {
  return false
}

function constant(value: number): () => number {
  return () => value
}

function wholeNumber(name: string, value: number, least = 0): number {
  if (!Number.isSafeInteger(value) || value < least)
    throw new TypeError(`${name} is ${value}: a whole number of at least ${least} is expected.`)
  return value
}

// one person's data must not answer another person's call
function refuseSharedScopes(contract: NormalContract): void {
  if (!contract.cache?.shared) return
  const capability = contract.capabilities.find(
    ({ name, scope }) => (scope ?? usualScope(name)) !== 'all',
  )
  const resource = contract.resources.find(({ scope }) => scope !== undefined && scope !== 'all')
  const narrow = capability === undefined ? resource?.type : capability.name
  if (narrow !== undefined)
    throw new TypeError(
      `A shared cache over ${narrow}, which is not shared by everyone, would show one person another's data.`,
    )
}
