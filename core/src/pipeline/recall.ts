import type { Hashed } from '../call/canonical.ts'
import { canonicalJson, isRecord, sha256 } from '../call/canonical.ts'
import type { Answer } from '../call/outcome.ts'
import { scopedKey } from '../call/scope.ts'
import type { Call } from '../ledger/call.ts'
import { accessOf } from '../permissions/access.ts'
import { definitionHash } from '../registry/describe.ts'
import type { PipelineContext } from './context.ts'
import { joinFlight } from './single-flight.ts'

/** Answers a read from the cache, or from the same read that another caller is executing. */
export function recall(
  call: Call,
  context: PipelineContext,
): Promise<Answer | undefined> | undefined {
  const { cache } = call.tool.contract
  if (cache === undefined || call.resumes !== undefined || cache.fresh(call.input)) return undefined
  return readCached(cacheKey(call, context), call, context)
}

async function readCached(
  key: string,
  call: Call,
  context: PipelineContext,
): Promise<Answer | undefined> {
  const found = await readCache(key, context)
  if (found !== undefined) {
    const { data, warnings, output } = JSON.parse(found) as CacheEntry
    return {
      status: 'done',
      data,
      source: 'cached',
      warnings,
      originalCallId: undefined,
      audited: false,
      output,
    }
  }
  const flight = context.flights.get(key)
  if (flight === undefined) return undefined
  const answer = await joinFlight(flight, call, context)
  return answer.status === 'done' && answer.source === 'executed'
    ? { ...answer, source: 'cached' }
    : answer
}

// Without the cache a read takes longer, but it still answers.
async function readCache(key: string, context: PipelineContext): Promise<string | undefined> {
  try {
    return await context.stores.cache.get(key)
  } catch {
    return undefined
  }
}

export type CacheEntry = {
  readonly data: unknown
  readonly warnings: readonly string[]
  readonly output: Hashed
}

/**
 * The cache key holds everything an answer depends on: callers who may see different answers have
 * different keys.
 */
export function cacheKey(call: Call, context: PipelineContext): string {
  const { caller, tool } = call
  const scopes = readScopes(call, context)
  // All principals share one entry only where all of them may see everything.
  const isShared =
    tool.contract.cache?.shared === true && scopes.every(([, scope]) => scope === 'all')
  const policy = context.policyOf(caller.tenant)?.version ?? 0
  return scopedKey(
    'read',
    caller.tenant,
    isShared ? '' : writeRights(call),
    scopedKey(...scopes.flat()),
    definitionHash(tool),
    String(policy),
    hashAskedInput(call),
  )
}

// An answer that was asked for afresh renews the entry that other callers read.
function hashAskedInput({ input, tool, canonicalInput }: Call): string {
  const field = tool.contract.cache?.freshField
  if (field === undefined || !isRecord(input)) return canonicalInput.hash
  return sha256(canonicalJson({ ...input, [field]: undefined }))
}

// A grant may be limited to certain hours: then the scope changes with the time, and the answer
// with the scope.
function readScopes(call: Call, context: PipelineContext): readonly (readonly [string, string])[] {
  if (
    call.tool.contract.permissionCheck !== 'required' ||
    call.tool.contract.capabilityNames.length === 0
  )
    return []
  return accessOf(call, context.scheme).scopes()
}

function writeRights(call: Call): string {
  const { caller } = call
  const grants = caller.capabilities.map((grant) =>
    canonicalJson(typeof grant === 'string' ? { name: grant } : grant),
  )
  const delegated = caller.delegated === undefined ? 'default' : scopedKey(...caller.delegated)
  return scopedKey(
    caller.principal,
    caller.actor,
    scopedKey(...caller.roles),
    scopedKey(...grants),
    delegated,
    caller.scopes === undefined ? 'all' : scopedKey(...caller.scopes),
    caller.session ?? '',
    caller.timeZone ?? '',
    caller.locale ?? '',
  )
}
