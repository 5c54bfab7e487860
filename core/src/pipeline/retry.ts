import { errorRow } from '../call/errors.ts'
import { type ToolError, toToolError } from '../call/tool-error.ts'
import { longestPauseMs } from '../define/normal.ts'
import type { Call } from '../ledger/call.ts'
import { sleep } from '../ports/clock.ts'
import type { PipelineContext } from './context.ts'

/** Whether this failure may be retried. If so, it waits for the jittered pause first. */
export async function mayRetry(
  call: Call,
  retry: number,
  error: ToolError,
  context: PipelineContext,
): Promise<boolean> {
  if (retry >= call.retries || !errorRow(error.code).retryable || call.signal?.aborted) return false
  // The provider has answered, and would answer the same again.
  if (error.effect === 'refused') return false
  const pauseMs = Math.max(
    requestedPauseMs(error),
    context.entropy.random() * longestPauseMs(retry),
  )
  if (context.clock.ticks() + pauseMs >= call.deadlineTicks) return false
  if (!context.providers.retryBudget(call.tool, call.caller.tenant).take()) return false
  await sleep(context.clock, pauseMs, call.signal)
  return true
}

function requestedPauseMs(error: ToolError): number {
  const pauseMs = error.details?.retry_after_ms
  return typeof pauseMs === 'number' ? pauseMs : 0
}

/** Attempts work that is safe to repeat until it succeeds or the contract's retries are used up. */
export function withRetries<T>(
  call: Call,
  context: PipelineContext,
  once: () => Promise<T>,
): Promise<T> {
  context.providers.retryBudget(call.tool, call.caller.tenant).countCall()
  const first = once()
  return call.retries === 0
    ? first
    : first.catch((thrown) => retryAfter(thrown, call, context, once))
}

async function retryAfter<T>(
  thrown: unknown,
  call: Call,
  context: PipelineContext,
  once: () => Promise<T>,
): Promise<T> {
  let error = toToolError(thrown)
  for (let retry = 0; await mayRetry(call, retry, error, context); retry++) {
    try {
      return await once()
    } catch (next) {
      error = toToolError(next)
    }
  }
  throw error
}
