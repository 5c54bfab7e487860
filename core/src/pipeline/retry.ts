import type { Call } from '../call/call.ts'
import { errorRow } from '../call/errors.ts'
import { type ToolError, toToolError } from '../call/tool-error.ts'
import type { NormalContract } from '../define/normal.ts'
import { sleep } from '../ports/clock.ts'
import type { PipelineContext } from './parts.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** How long a call may take in all: every attempt and every pause between them. */
export function callBudgetMs(contract: Pick<NormalContract, 'timeoutMs' | 'retries'>): number {
  let pausesMs = 0
  for (let retry = 0; retry < contract.retries; retry++) pausesMs += longestPause(retry)
  return (contract.retries + 1) * contract.timeoutMs + pausesMs
}

function longestPause(retry: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry)
}

/** May this failure be tried again? Waits the jittered pause if so; a false answer waits for nothing. */
export async function mayRetry(
  call: Call,
  retry: number,
  error: ToolError,
  parts: PipelineContext,
): Promise<boolean> {
  if (
    retry >= call.tool.contract.retries ||
    !errorRow(error.code).retryable ||
    call.signal?.aborted
  )
    return false
  const pauseMs = Math.max(askedPause(error), parts.entropy.random() * longestPause(retry))
  if (parts.clock.ticks() + pauseMs >= call.deadlineTicks) return false
  if (!parts.providers.retryBudget(call.tool).take()) return false
  await sleep(parts.clock, pauseMs, call.signal)
  return true
}

function askedPause(error: ToolError): number {
  const asked = error.details?.retry_after_ms
  return typeof asked === 'number' ? asked : 0
}

/** Attempts something safe to repeat until it succeeds or the contract has had enough. */
export function withRetries<T>(call: Call, parts: PipelineContext, once: () => Promise<T>): Promise<T> {
  parts.providers.retryBudget(call.tool).countCall()
  const first = once()
  return call.tool.contract.retries === 0
    ? first
    : first.catch((thrown) => again(call, parts, once, thrown))
}

async function again<T>(
  call: Call,
  parts: PipelineContext,
  once: () => Promise<T>,
  thrown: unknown,
): Promise<T> {
  let error = toToolError(thrown)
  for (let retry = 0; await mayRetry(call, retry, error, parts); retry++) {
    try {
      return await once()
    } catch (next) {
      error = toToolError(next)
    }
  }
  throw error
}
