import type { Duration } from '@surehand/core'
import { toMs } from '@surehand/core/internal'
import { UsageError } from './usage-error.ts'

/** `30s`, `5m`; a bare number counts seconds. */
export function waitTime(text: string, suggestion: string): number {
  try {
    // erased: toMs looks at the spelling itself
    return toMs((/^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text) as Duration)
  } catch (cause) {
    throw new UsageError(`--wait: ${(cause as Error).message}`, suggestion)
  }
}
