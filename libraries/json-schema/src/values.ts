import { canonicalJson } from '@surehand/core/internal'
import type { Run } from './run.ts'

/** A set of JSON values that compares objects and lists by content. */
export class Values {
  private readonly scalars = new Set<unknown>()
  private readonly texts = new Set<string>()

  has(value: unknown, run: Run): boolean {
    if (typeof value !== 'object' || value === null) return this.scalars.has(value)
    if (this.texts.size === 0) return false
    const text = textOf(value, run)
    return text !== undefined && this.texts.has(text)
  }

  /** Adds a value; returns whether it is new. */
  add(value: unknown, run: Run | undefined): boolean {
    if (typeof value !== 'object' || value === null) return addIfNew(this.scalars, value)
    const text = textOf(value, run)
    return text === undefined || addIfNew(this.texts, text)
  }
}

function addIfNew<T>(set: Set<T>, value: T): boolean {
  const { size } = set
  return set.add(value).size > size
}

// A value without a canonical form (a lone surrogate, too deep) equals no other.
function textOf(value: object, run: Run | undefined): string | undefined {
  let text: string | undefined
  try {
    text = canonicalJson(value)
  } catch {
    text = undefined
  }
  run?.spend((text?.length ?? 64) >> 5)
  return text
}
