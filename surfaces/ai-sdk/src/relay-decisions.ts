import type { Caller, Runtime } from '@surehand/core'
import { relayVerdict, type ShownRequest } from '@surehand/core/host'
import type { ModelMessage } from 'ai'
import { findShownApproval } from './find-shown-approval.ts'
import { type Options, type Surface, surfaceOf } from './options.ts'
import { readVerdicts } from './read-verdicts.ts'

/**
 * Relays the denials in the last message to `runtime.approvals`, because the SDK does not pass
 * denials to tools. Where a denial does not count as a decision, the caller's own request is
 * withdrawn: a request that the chat shows as denied must not stay open for approval. Call it
 * before generating. Returns the ids of the approval requests that it closed.
 */
export async function relayDecisions(
  runtime: Runtime,
  caller: Caller,
  messages: readonly ModelMessage[],
  options: Options,
): Promise<readonly string[]> {
  const surface = surfaceOf(runtime, caller, options)
  const closed: string[] = []
  for (const { verdict, shown, reason } of readVerdicts(messages)) {
    const request = verdict === 'deny' ? await findShownApproval(shown, surface) : undefined
    if (request === undefined) continue
    if ((await relayDenial(request, reason, surface)) || (await withdrawRequest(request, surface)))
      closed.push(request.id)
  }
  return closed
}

async function relayDenial(
  request: ShownRequest,
  reason: string | undefined,
  { runtime, caller, host }: Surface,
): Promise<boolean> {
  if (host === undefined) return false
  return relayVerdict(runtime.approvals, 'deny', request, {
    caller,
    host,
    ...(reason === undefined ? {} : { reason }),
  })
}

async function withdrawRequest(
  { id }: ShownRequest,
  { runtime, caller }: Surface,
): Promise<boolean> {
  const { state, callId } = await runtime.approvals.getFor(caller, id)
  // A request that was decided in the meantime is not withdrawn.
  return state === 'pending' && runtime.cancel(caller, callId)
}
