import type { Caller } from '../call/caller.ts'
import type { Progress } from '../call/request.ts'
import { visibleCall } from './fetch-answer.ts'
import type { PipelineContext } from './parts.ts'

export type KeptProgress = { readonly number: number; readonly progress: Progress }

/** How far a call is, from whichever node drives it, for whoever may see its answer. */
export async function keptProgress(
  caller: Caller,
  callId: string,
  parts: PipelineContext,
): Promise<KeptProgress | undefined> {
  const row = await visibleCall(caller, callId, parts)
  const kept =
    row === undefined ? undefined : await parts.stores.runs.progress(caller.tenant, callId)
  return kept === undefined
    ? undefined
    : { number: kept.number, progress: JSON.parse(kept.json) as Progress }
}
