import type { Duration } from '@surehand/core'
import { toMs } from '@surehand/core/internal'
import { UsageError } from './usage-error.ts'

/** Reads `--wait`: `30s`, `5m`; a bare number counts seconds. */
export function parseWait(text: string, suggestion: string): number {
  try {
    // toMs checks the spelling itself, so the type may be asserted before it
    return toMs((/^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text) as Duration)
  } catch (cause) {
    throw new UsageError(`--wait: ${(cause as Error).message}`, suggestion)
  }
}

/** Reads a flag's value as a whole number from 1 to `max`. */
export function parseCount(
  name: string,
  text: string,
  { max, suggestion }: { readonly max: number; readonly suggestion: string },
): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= max) return value
  throw new UsageError(`--${name} is a whole number from 1 to ${max}, not "${text}".`, suggestion)
}
