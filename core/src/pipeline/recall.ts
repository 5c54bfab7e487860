import type { Call } from '../call/call.ts'
import { canonicalJson } from '../call/canonical.ts'
import type { Hashed } from '../call/canonical-text.ts'
import type { Answer } from '../call/outcome.ts'
import { scoped } from '../call/scope.ts'
import { accessOf } from '../permissions/access.ts'
import { definitionHash } from '../registry/describe.ts'
import { join } from './flight.ts'
import type { PipelineContext } from './parts.ts'

/** The cache knows, or somebody is just finding out. */
export function recall(call: Call, parts: PipelineContext): Promise<Answer | undefined> | undefined {
  const { cache } = call.tool.contract
  if (cache === undefined || call.resumes !== undefined || cache.fresh(call.input)) return undefined
  return lookUp(cacheKey(call, parts), call, parts)
}

async function lookUp(key: string, call: Call, parts: PipelineContext): Promise<Answer | undefined> {
  const found = await known(key, parts)
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
  const flight = parts.flights.get(key)
  if (flight === undefined) return undefined
  const answer = await join(flight, call, parts)
  return answer.status === 'done' && answer.source === 'executed'
    ? { ...answer, source: 'cached' }
    : answer
}

// a cache that can't be reached costs time, never the answer
async function known(key: string, parts: PipelineContext): Promise<string | undefined> {
  try {
    return await parts.stores.cache.get(key)
  } catch {
    return undefined
  }
}

export type CacheEntry = {
  readonly data: unknown
  readonly warnings: readonly string[]
  readonly output: Hashed
}

/** Everything an answer depends on: whoever may see another answer has another key. */
export function cacheKey(call: Call, parts: PipelineContext): string {
  const { caller, tool } = call
  const scopes = scopesOf(call, parts)
  // one entry for all principals only where all of them see everything
  const isShared =
    tool.contract.cache?.shared === true && scopes.every(([, scope]) => scope === 'all')
  const policy = parts.policyOf(caller.tenant)?.version ?? 0
  return scoped(
    'read',
    caller.tenant,
    isShared ? '' : rightsOf(call),
    scoped(...scopes.flat()),
    definitionHash(tool),
    String(policy),
    call.meaning.hash,
  )
}

// the best grant may depend on the hour: with it the scope changes, and with the scope the answer
function scopesOf(call: Call, parts: PipelineContext): readonly (readonly [string, string])[] {
  if (
    call.tool.contract.permissionCheck !== 'required' ||
    call.tool.contract.capabilityNames.length === 0
  )
    return []
  return [...accessOf(call, parts.scheme).scopes()]
}

function rightsOf(call: Call): string {
  const { caller } = call
  const grants = caller.capabilities.map((grant) =>
    canonicalJson(typeof grant === 'string' ? { name: grant } : grant),
  )
  const delegated = caller.delegated === undefined ? 'default' : scoped(...caller.delegated)
  return scoped(
    caller.principal,
    caller.actor,
    scoped(...caller.roles),
    scoped(...grants),
    delegated,
    caller.scopes === undefined ? 'all' : scoped(...caller.scopes),
    caller.session ?? '',
    caller.timeZone ?? '',
    caller.locale ?? '',
  )
}
