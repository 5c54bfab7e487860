import { createRequire } from 'node:module'
import { ucs2length } from '@cfworker/json-schema'
import type { RE2JS } from 're2js'
import { BOUNDS } from './bounds.ts'
import { toRe2 } from './pattern-source.ts'

/** A pattern that runs in time linear in the text; `size` is the factor. */
export type Pattern = { readonly size: number; readonly test: (text: string) => boolean }

/** The cost of a search in comparisons. RE2 takes at most 25 ns per character and instruction. */
export function searchSteps(pattern: Pattern, text: string): number {
  return 1 + (text.length * pattern.size) / 16
}

/**
 * Compiled patterns by source. Documents repeat the same few patterns, and compiling takes 0.1 to
 * 25 ms.
 */
export type Patterns = { readonly of: (source: string) => Pattern }

const KEPT = 2_000
// RE2 caches states, up to 8 MB per pattern. The cache is dropped after this many characters.
const FORGET_AFTER = 100_000

export function createPatterns(): Patterns {
  const known = new Map<string, Pattern>()
  return {
    of(source) {
      const found = known.get(source)
      if (found !== undefined) return found
      const pattern = compile(source)
      if (known.size >= KEPT) known.delete(known.keys().next().value ?? '')
      known.set(source, pattern)
      return pattern
    },
  }
}

function compile(source: string): Pattern {
  if (source.length > BOUNDS.patternLength)
    throw new Error(`is longer than ${BOUNDS.patternLength} characters`)
  const { text, size, counted } = toRe2(source)
  if (size > BOUNDS.patternSize)
    throw new Error(`repeats too much: about ${size} steps, ${BOUNDS.patternSize} are allowed`)
  const matches = matcher(text)
  if (counted === undefined) return { size, test: matches }
  return {
    size,
    test(candidate) {
      const length = ucs2length(candidate)
      return length >= counted.min && length <= counted.max && matches(candidate)
    },
  }
}

function matcher(text: string): (candidate: string) => boolean {
  const compiled = parsePattern(text)
  let seen = 0
  return (candidate) => {
    const found = compiled.test(candidate)
    seen += candidate.length
    if (seen > FORGET_AFTER) {
      compiled.reset()
      seen = 0
    }
    return found
  }
}

// re2js is two thirds of the code that a document's tools need, so it is loaded with the first
// pattern.
let engine: typeof RE2JS | undefined

function re2(): typeof RE2JS {
  engine ??= (createRequire(import.meta.url)('re2js') as typeof import('re2js')).RE2JS
  return engine
}

function parsePattern(text: string): RE2JS {
  try {
    return re2().compile(text)
  } catch (cause) {
    const reason =
      cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, '') : String(cause)
    throw new Error(`has no linear-time form: ${reason}`, { cause })
  }
}
