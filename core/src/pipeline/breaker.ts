import { errorRow, type ToolErrorCode } from '../call/errors.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Clock } from '../ports/clock.ts'

/** Stands before one provider: after a row of failures it stops asking for a while, then lets one call try. */
export type Breaker = {
  /** Throws while the provider is left alone. */
  readonly enter: () => void
  readonly succeeded: () => void
  readonly failed: (thrown: unknown) => void
}

const FAILURES_TO_OPEN = 5
const OPEN_MS = 10_000

// what says something about the provider's health; a refusal or a bug doesn't
const trouble: ReadonlySet<ToolErrorCode> = new Set([
  'TOOL_EXTERNAL_SERVICE_ERROR',
  'TOOL_NETWORK_ERROR',
  'TOOL_RESOURCE_UNAVAILABLE',
  'TOOL_EXECUTION_TIMEOUT',
])

export function createBreaker(provider: string, clock: Clock): Breaker {
  let failures = 0
  let openUntil = 0

  return {
    enter() {
      if (failures < FAILURES_TO_OPEN) return
      const waitMs = openUntil - clock.now()
      if (waitMs > 0) throw leftAlone(provider, waitMs)
      // this call is the probe; others wait for what it finds
      openUntil = clock.now() + OPEN_MS
    },
    succeeded() {
      failures = 0
    },
    failed(thrown) {
      const { code } = toToolError(thrown)
      if (!trouble.has(code)) {
        // whoever says no is there; a bug of ours says nothing about them
        if (errorRow(code).status === 'failed' && code !== 'TOOL_CANCELLED') failures = 0
        return
      }
      failures++
      if (failures >= FAILURES_TO_OPEN) openUntil = clock.now() + OPEN_MS
    },
  }
}

function leftAlone(provider: string, waitMs: number): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `${provider} has failed ${FAILURES_TO_OPEN} times in a row and is left alone for a moment.`,
    {
      effect: 'none',
      details: { provider, retry_after_ms: Math.ceil(waitMs) },
    },
  )
}
