import { scopedKey } from '../call/scope.ts'
import { isToolError, ToolError } from '../call/tool-error.ts'
import type { NormalLimit } from '../define/normal.ts'
import type { Tool } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { conditionLimits } from '../permissions/access.ts'
import type { Bucket, Taken } from '../ports/limits.ts'
import type { PipelineContext } from './context.ts'

/** Counts the call against its rate limits and budgets, all or none; throws when one is used up. */
export function takeQuota(call: Call, context: PipelineContext): Promise<undefined> | undefined {
  const buckets = call.hasUsedQuota ? [] : listBuckets(call, context)
  if (buckets.length === 0) return undefined
  const taken = takeFromStore(buckets, call, context)
  return taken instanceof Promise
    ? taken.then((settled) => refuseExceeded(call, settled))
    : refuseExceeded(call, taken)
}

function takeFromStore(
  buckets: readonly Bucket[],
  call: Call,
  context: PipelineContext,
): Taken | Promise<Taken> {
  try {
    const taken = context.stores.limits.take(buckets)
    return taken instanceof Promise ? taken.catch((cause) => onStoreFailure(call, cause)) : taken
  } catch (cause) {
    return onStoreFailure(call, cause)
  }
}

function refuseExceeded(call: Call, taken: Taken): undefined {
  if (taken.ok) return undefined
  const { bucket, retryAfterMs } = taken
  const { id } = call.tool
  if (bucket.windowMs === undefined) {
    throw new ToolError('TOOL_GATE_CLOSED', `${id} has used up its budget of ${bucket.max}.`, {
      details: { source_code: 'budget_exceeded', budget: bucket.max },
    })
  }
  throw new ToolError(
    'TOOL_RATE_LIMIT_EXCEEDED',
    `${id} allows ${bucket.max} ${bucket.max === 1 ? 'call' : 'calls'} in ${bucket.windowMs / 1000} s.`,
    {
      details: {
        limit: bucket.max,
        window_ms: bucket.windowMs,
        retry_after_ms: retryAfterMs,
        ...findSourceCode(call, bucket),
      },
      suggestions: [
        `Wait ${Math.ceil((retryAfterMs ?? bucket.windowMs) / 1000)} s, then call again.`,
      ],
    },
  )
}

function findSourceCode({ tool }: Call, { max, windowMs }: Bucket): { source_code?: string } {
  const exceeded = tool.contract.limits.find(
    (limit) => limit.calls === max && limit.windowMs === windowMs,
  )
  return exceeded?.sourceCode === undefined ? {} : { source_code: exceeded.sourceCode }
}

// If the store cannot be reached, reads go through; writes and budgets are refused.
function onStoreFailure(call: Call, cause: unknown): Taken {
  if (isToolError(cause) && cause.code !== 'TOOL_STORAGE_ERROR') throw cause
  if (!call.tool.contract.isWrite && call.tool.contract.budgets.length === 0) return { ok: true }
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    'Rate limits cannot be counted at the moment, so the call was refused.',
    { cause },
  )
}

function listBuckets(call: Call, context: PipelineContext): readonly Bucket[] {
  const { caller, tool } = call
  const own = listOwnBuckets(call)
  const conditional = conditionLimits(call, context.scheme)
  if (own.length === 1 && conditional.length === 0 && tool.contract.budgets.length === 0) return own
  const buckets = [...own]
  for (const { key, calls, windowMs } of conditional) buckets.push({ key, max: calls, windowMs })
  for (const budget of tool.contract.budgets)
    buckets.push({
      key: scopedKey('budget', caller.tenant, budget.name, budget.key(call.input)),
      max: budget.max,
      windowMs: undefined,
    })
  // A policy that repeats the tool's own limit is the same bucket and counts the call once.
  return buckets.length === 1
    ? buckets
    : [...new Map(buckets.map((bucket) => [bucket.key, bucket])).values()]
}

type CallerBuckets = {
  readonly tenant: string
  readonly principal: string
  readonly buckets: readonly Bucket[]
}

// An agent calls the same tool many times in a row. Making the name of a bucket and hashing it take
// a twentieth of a write in memory, so those of the tool's latest caller are remembered.
const latest = new WeakMap<Tool, CallerBuckets>()

/** The buckets of the tool's own limits. */
function listOwnBuckets(call: Call): readonly Bucket[] {
  const { tool, caller } = call
  const known = latest.get(tool)
  if (known?.principal === caller.principal && known.tenant === caller.tenant) return known.buckets
  const { limits } = tool.contract
  const buckets = limits.map((limit, index) => ({
    key: limitKey(call, limit, index),
    max: limit.calls,
    windowMs: limit.windowMs,
  }))
  if (limits.every(({ by }) => typeof by !== 'function'))
    latest.set(tool, { tenant: caller.tenant, principal: caller.principal, buckets })
  return buckets
}

function limitKey(call: Call, limit: NormalLimit, index: number): string {
  const { caller, tool, input } = call
  const figures = `${limit.calls}/${limit.windowMs}`
  // Two functions with the same figures may count different things, so the position is part of the
  // key.
  if (typeof limit.by === 'function')
    return scopedKey(
      'limit',
      caller.tenant,
      tool.id,
      'input',
      String(index),
      limit.by(input),
      figures,
    )
  return limit.by === 'tenant'
    ? scopedKey('limit', caller.tenant, tool.id, figures)
    : scopedKey('limit', caller.tenant, tool.id, 'principal', caller.principal, figures)
}
