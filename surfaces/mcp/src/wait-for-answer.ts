import type { Caller, Outcome } from '@surehand/core'
import { awaitAnswer } from '@surehand/core/host'
import type { Surface } from './options.ts'

/** The next outcome of a call (done, failed, or waiting for a person), awaited at most `waitMs`. */
export function waitForAnswer(
  callId: string,
  requester: { readonly caller: Caller; readonly signal: AbortSignal },
  { runtime, clock, waitMs, turn }: Surface,
  beyond?: string,
): Promise<Outcome | undefined> {
  return awaitAnswer(runtime, requester.caller, callId, {
    clock,
    waitMs,
    signal: requester.signal,
    until: 'news',
    beyond,
    turn: (signal) => turn(requester.caller, signal),
  })
}
