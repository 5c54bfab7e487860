import type { Caller } from '../call/caller.ts'
import type { OpenCall } from '../ports/calls.ts'
import type { PipelineContext } from './parts.ts'

const MOST = 1_000

/** What waits, runs or is unknown: whoever asks sees their own, an administrator in person everybody's. */
export async function openCalls(
  caller: Caller,
  limit: number,
  { stores }: Pick<PipelineContext, 'stores'>,
): Promise<readonly OpenCall[]> {
  const seesAll = caller.actor !== 'ai_agent' && caller.roles.includes('admin')
  const principal = seesAll ? undefined : caller.principal
  return stores.calls.open({ tenant: caller.tenant, principal, limit: Math.min(limit, MOST) })
}
