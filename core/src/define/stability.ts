import type { z } from 'zod'
import { hashJson } from '../call/hash.ts'

// far enough that the year, the day, the hour, the minute and the second all differ
const ELSEWHEN_MS = ((400 * 24 + 5) * 3600 + 7 * 60 + 13) * 1000 + 17

/**
 * Does a default give another value another time? Zod hides whether it is a function, so it is asked twice,
 * the second time under another clock.
 */
export function unstableDefault(def: { readonly defaultValue: unknown }): boolean {
  const first = hashOrNothing(def.defaultValue)
  return first === undefined || first !== hashOrNothing(underAnotherClock(() => def.defaultValue))
}

// nothing else runs meanwhile: the default is asked in this very turn of the loop
function underAnotherClock<T>(ask: () => T): T {
  const RealDate = globalThis.Date
  const realNow = RealDate.now
  class OtherDate extends RealDate {
    constructor(...parts: readonly unknown[]) {
      // erased: whatever Date takes is handed on to it
      if (parts.length === 0) super(OtherDate.now())
      else super(...(parts as [number]))
    }
    static override now(): number {
      return realNow() + ELSEWHEN_MS
    }
  }
  globalThis.Date = OtherDate as DateConstructor
  try {
    return ask()
  } finally {
    globalThis.Date = RealDate
  }
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
  try {
    return probes.some((probe) => {
      const once = change(probe)
      return typeof once !== 'string' || once !== change(probe) || change(once) !== once
    })
  } catch {
    return true // not of texts: what it does to them can't be tried
  }
}
