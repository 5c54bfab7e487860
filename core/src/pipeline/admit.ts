import type { Call } from '../call/call.ts'
import { scoped } from '../call/scope.ts'
import { isToolError, ToolError } from '../call/tool-error.ts'
import type { NormalLimit } from '../define/normal.ts'
import { conditionLimits } from '../permissions/access.ts'
import type { Bucket, Taken } from '../ports/limits.ts'
import { guardMs, possibleDuplicate } from './duplicate.ts'
import { passGates } from './gates.ts'
import { inTime } from './in-time.ts'
import { newCall } from './new-call.ts'
import type { PipelineContext } from './parts.ts'

/** The moment: semantic check, gates, then rates and budgets, all or none. Never answers; a resumed call takes nothing. */
export function admit(call: Call, parts: PipelineContext): Promise<undefined> | undefined {
  if (call.resumes !== undefined) return undefined
  const { contract, check } = call.tool
  if (
    call.notify === undefined &&
    check === undefined &&
    guardMs(call) === undefined &&
    contract.gates.length === 0
  )
    return takeQuota(call, parts)
  return inTime(call, parts, ask(call, parts))
}

async function ask(call: Call, parts: PipelineContext): Promise<undefined> {
  const { tool } = call
  if (call.notify !== undefined) await refuseUnheard(call, call.notify, parts)
  if (tool.check !== undefined)
    await tool.check({
      input: call.input,
      ports: parts.providers.of(tool),
      caller: call.caller,
      now: parts.clock.now,
    })
  await refuseDuplicate(call, parts)
  await passGates(call, parts)
  await takeQuota(call, parts)
}

// a wish that nobody could keep is refused before anything is done
async function refuseUnheard(call: Call, webhook: string, parts: PipelineContext): Promise<void> {
  const { tool, caller } = call
  const keepsRow = tool.contract.isWrite || tool.isDeferred || tool.work.kind === 'run'
  const item = keepsRow
    ? await parts.stores.admin.get(caller.tenant, 'webhook', webhook)
    : undefined
  if (item?.unopened !== undefined) throw item.unopened
  if (item !== undefined) return
  const error = keepsRow
    ? 'names no webhook of this house'
    : `is of no use: ${tool.id} answers at once, and no row is kept of it`
  throw new ToolError('TOOL_INVALID_FIELD_VALUE', `The webhook "${webhook}" ${error}.`, {
    details: { validation_errors: [{ field: 'notify', error, provided_value: webhook }] },
  })
}

// without a stable key, the same input a moment ago may be the same wish, told twice
async function refuseDuplicate(call: Call, parts: PipelineContext): Promise<void> {
  const sinceMs = guardMs(call)
  if (sinceMs === undefined) return
  const earlier = await parts.stores.calls.recent(newCall(call, parts), sinceMs)
  if (earlier !== undefined) throw possibleDuplicate(call, earlier)
}

function takeQuota(call: Call, parts: PipelineContext): Promise<undefined> | undefined {
  if (call.isCounted) return undefined
  const buckets = bucketsOf(call, parts)
  if (buckets.length === 0) return undefined
  const taken = take(buckets, call, parts)
  return taken instanceof Promise
    ? taken.then((settled) => refuse(call, settled))
    : refuse(call, taken)
}

function take(buckets: readonly Bucket[], call: Call, parts: PipelineContext): Taken | Promise<Taken> {
  try {
    const taken = parts.stores.limits.take(buckets)
    return taken instanceof Promise ? taken.catch((cause) => unreachable(call, cause)) : taken
  } catch (cause) {
    return unreachable(call, cause)
  }
}

function refuse(call: Call, taken: Taken): undefined {
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
    `${id} allows ${bucket.max} calls in ${bucket.windowMs / 1000} s.`,
    {
      details: { limit: bucket.max, window_ms: bucket.windowMs, retry_after_ms: retryAfterMs },
      suggestions: [
        `Wait ${Math.ceil((retryAfterMs ?? bucket.windowMs) / 1000)} s, then call again.`,
      ],
    },
  )
}

// rates of reads fail open; writes and budgets fail closed
function unreachable(call: Call, cause: unknown): Taken {
  if (isToolError(cause) && cause.code !== 'TOOL_STORAGE_ERROR') throw cause
  if (!call.tool.contract.isWrite && call.tool.contract.budgets.length === 0) return { ok: true }
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    'The limits can not be counted at the moment, so nothing is let through.',
    { cause },
  )
}

const NO_BUCKETS: readonly Bucket[] = []

function bucketsOf(call: Call, parts: PipelineContext): readonly Bucket[] {
  const { caller, tool } = call
  const conditions = conditionLimits(call, parts.scheme)
  if (
    tool.contract.limits.length === 0 &&
    tool.contract.budgets.length === 0 &&
    conditions.length === 0
  )
    return NO_BUCKETS
  const buckets = [
    ...tool.contract.limits.map((limit, index) => ({
      key: limitKey(call, limit, index),
      max: limit.calls,
      windowMs: limit.windowMs,
    })),
    ...conditions.map(({ key, calls, windowMs }) => ({ key, max: calls, windowMs })),
    ...tool.contract.budgets.map((budget) => ({
      key: scoped('budget', caller.tenant, budget.name, budget.key(call.input)),
      max: budget.max,
      windowMs: undefined,
    })),
  ]
  // a policy that repeats the tool's own limit counts in the same bucket, once
  return buckets.length === 1
    ? buckets
    : [...new Map(buckets.map((bucket) => [bucket.key, bucket])).values()]
}

function limitKey(call: Call, limit: NormalLimit, index: number): string {
  const { caller, tool, input } = call
  const figures = `${limit.calls}/${limit.windowMs}`
  // two functions with the same figures may count different things
  if (typeof limit.by === 'function')
    return scoped('limit', caller.tenant, tool.id, 'input', String(index), limit.by(input), figures)
  return limit.by === 'tenant'
    ? scoped('limit', caller.tenant, tool.id, figures)
    : scoped('limit', caller.tenant, tool.id, 'principal', caller.principal, figures)
}
