import { errorRow, type ToolErrorCode } from '../call/errors.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * Guards one provider: after several failures in a row it refuses calls for a while, then lets one
 * call probe.
 */
export type CircuitBreaker = {
  /** Throws while the circuit is open. */
  readonly enter: () => void
  readonly succeeded: () => void
  readonly failed: (thrown: unknown) => void
}

const FAILURES_TO_OPEN = 5
const OPEN_MS = 10_000

// Codes that say something about the provider's health; a refusal or a bug does not.
const UNHEALTHY: ReadonlySet<ToolErrorCode> = new Set([
  'TOOL_EXTERNAL_SERVICE_ERROR',
  'TOOL_NETWORK_ERROR',
  'TOOL_RESOURCE_UNAVAILABLE',
  'TOOL_EXECUTION_TIMEOUT',
])

export function createCircuitBreaker(provider: string, clock: Clock): CircuitBreaker {
  let failures = 0
  let openUntil = 0

  return {
    enter() {
      if (failures < FAILURES_TO_OPEN) return
      const waitMs = openUntil - clock.now()
      if (waitMs > 0) throw openError(provider, waitMs)
      // This call is the probe; the others are refused until it has an answer.
      openUntil = clock.now() + OPEN_MS
    },
    succeeded() {
      failures = 0
    },
    failed(thrown) {
      const { code, effect } = toToolError(thrown)
      if (!UNHEALTHY.has(code) || effect === 'refused') {
        // A provider that refuses is reachable; a bug of ours says nothing about it.
        const isRefusal = errorRow(code).status === 'failed' || effect === 'refused'
        if (isRefusal && code !== 'TOOL_CANCELLED') failures = 0
        return
      }
      failures++
      if (failures >= FAILURES_TO_OPEN) openUntil = clock.now() + OPEN_MS
    },
  }
}

function openError(provider: string, waitMs: number): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `${provider} has failed ${FAILURES_TO_OPEN} times in a row, so it is not called for ${formatSeconds(waitMs)}. This request was not sent to it.`,
    {
      effect: 'none',
      details: { provider, retry_after_ms: Math.ceil(waitMs) },
      suggestions: [`Call it again in ${formatSeconds(waitMs)}.`],
    },
  )
}

function formatSeconds(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}
