export type Facts = Readonly<Record<string, unknown>>

const MOST_KEYS = 30
const LONGEST_TEXT = 2_000
const DEEPEST = 3
/** Of all of it together, as JSON. */
const MOST_CHARACTERS = 50_000

/**
 * What a stranger's site tells, as much of it as an answer may carry: what is longer or deeper is
 * left out, never cut.
 */
export function boundedFacts(input: unknown): Facts | undefined {
  const facts = boundedAt(input, 1)
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts)) return undefined
  // an object with string keys and nothing else, by the line above
  return JSON.stringify(facts).length > MOST_CHARACTERS ? undefined : (facts as Facts)
}

function boundedAt(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length <= LONGEST_TEXT ? value : undefined
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) return undefined
  if (Array.isArray(value)) {
    return value
      .slice(0, MOST_KEYS)
      .map((one) => boundedAt(one, depth + 1))
      .filter((one) => one !== undefined)
  }
  const kept = Object.entries(value)
    .map(([key, one]) => [key, boundedAt(one, depth + 1)] as const)
    .filter(([key, one]) => one !== undefined && key.length <= LONGEST_TEXT)
  return Object.fromEntries(kept.slice(0, MOST_KEYS))
}
