import { errorRow } from '../call/errors.ts'
import { type ToolError, toToolError } from '../call/tool-error.ts'
import type { NormalContract } from '../define/normal.ts'
import type { Call } from '../ledger/call.ts'
import { sleep } from '../ports/clock.ts'
import type { PipelineContext } from './context.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** How long a call may take in all: every attempt and every pause between them. */
export function callBudgetMs(contract: Pick<NormalContract, 'timeoutMs' | 'retries'>): number {
  let pausesMs = 0
  for (let retry = 0; retry < contract.retries; retry++) pausesMs += longestPauseMs(retry)
  return (contract.retries + 1) * contract.timeoutMs + pausesMs
}

function longestPauseMs(retry: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry)
}

/** Whether this failure may be retried. If so, it waits for the jittered pause first. */
export async function mayRetry(
  call: Call,
  retry: number,
  error: ToolError,
  context: PipelineContext,
): Promise<boolean> {
  if (
    retry >= call.tool.contract.retries ||
    !errorRow(error.code).retryable ||
    call.signal?.aborted
  )
    return false
  const pauseMs = Math.max(
    requestedPauseMs(error),
    context.entropy.random() * longestPauseMs(retry),
  )
  if (context.clock.ticks() + pauseMs >= call.deadlineTicks) return false
  if (!context.providers.retryBudget(call.tool).take()) return false
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
  context.providers.retryBudget(call.tool).countCall()
  const first = once()
  return call.tool.contract.retries === 0
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

/** Retries may add a tenth to a provider's load; without a budget they would multiply it when the provider is failing. */
export type RetryBudget = {
  readonly countCall: () => void
  /** False: no more retries for now. */
  readonly take: () => boolean
}

// Counted in tenths of a retry, so that ten calls earn exactly one.
const RETRY = 10
const MOST_TENTHS = 100

export function createRetryBudget(): RetryBudget {
  let tenths = MOST_TENTHS
  return {
    countCall() {
      tenths = Math.min(MOST_TENTHS, tenths + 1)
    },
    take() {
      if (tenths < RETRY) return false
      tenths -= RETRY
      return true
    },
  }
}
