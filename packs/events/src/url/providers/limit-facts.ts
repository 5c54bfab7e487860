export type Facts = Readonly<Record<string, unknown>>

const MAX_KEYS = 30
const MAX_TEXT = 2_000
const MAX_DEPTH = 3
/** The length of the whole as JSON. */
const MAX_CHARACTERS = 50_000

/**
 * Limits untrusted metadata to what an answer may contain: longer texts and deeper values are
 * omitted, not truncated.
 */
export function limitFacts(input: unknown): Facts | undefined {
  const facts = limitValue(input, 1)
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts)) return undefined
  // The line above proves that it is a plain object.
  return JSON.stringify(facts).length > MAX_CHARACTERS ? undefined : (facts as Facts)
}

function limitValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length <= MAX_TEXT ? value : undefined
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) {
    return value
      .slice(0, MAX_KEYS)
      .map((one) => limitValue(one, depth + 1))
      .filter((one) => one !== undefined)
  }
  const limited = Object.entries(value)
    .map(([key, one]) => [key, limitValue(one, depth + 1)] as const)
    .filter(([key, one]) => one !== undefined && key.length <= MAX_TEXT)
  return Object.fromEntries(limited.slice(0, MAX_KEYS))
}
