import type { z } from 'zod'
import { hashJson } from '../call/hash.ts'

const CLOCK_WINDOW_MS = 60_000

/**
 * Does a default give another value another time? Zod hides whether it is a function, so it is asked twice,
 * and a value that reads like this very minute is taken for a clock.
 */
export function unstableDefault(def: { readonly defaultValue: unknown }): boolean {
  const first = def.defaultValue
  return hashOrNothing(first) !== hashOrNothing(def.defaultValue) || hashOrNothing(first) === undefined || readsTheClock(first)
}

function readsTheClock(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false
  if (typeof value === 'string' && !/^\d{4}-\d\d-\d\d[Tt ]/.test(value)) return false
  // a definition has no runtime yet, and so no clock that could be handed in
  const now = performance.timeOrigin + performance.now()
  return Math.abs(new Date(value).getTime() - now) < CLOCK_WINDOW_MS
}

function hashOrNothing(value: unknown): string | undefined {
  try {
    return hashJson(value)
  } catch {
    return undefined // not JSON: refused by the caller
  }
}

const probes = ['', ' Az\u00e9 ', 'e\u0301 x', '42']

/** Does an overwrite change a value it has already made? Trim and case changes don't; appending does. */
export function unstableOverwrite(check: z.core.$ZodCheck<never>): boolean {
  const def = check._zod.def as { readonly check: string; readonly tx?: (value: string) => unknown }
  if (def.check !== 'overwrite' || def.tx === undefined) return false
  const change = def.tx
  return probes.some((probe) => {
    const once = change(probe)
    return typeof once !== 'string' || once !== change(probe) || change(once) !== once
  })
}
