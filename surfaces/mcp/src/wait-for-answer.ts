import type { Caller, Outcome } from '@surehand/core'
import { awaitAnswer } from '@surehand/core/host'
import type { Surface } from './options.ts'

/** A call's next word (done, failed, or something that is asked), as long as a client is kept waiting. */
export function waitForAnswer(
  callId: string,
  asker: { readonly caller: Caller; readonly signal: AbortSignal },
  { runtime, clock, waitMs }: Surface,
  beyond?: string,
): Promise<Outcome | undefined> {
  return awaitAnswer(runtime, asker.caller, callId, {
    clock,
    waitMs,
    signal: asker.signal,
    until: 'news',
    beyond,
  })
}
