/**
 * A number from 0 up to 1 that depends on nothing but the parts: a model that computes examples gives
 * the same answer to the same question, on every machine.
 */
export function seededNumber(...parts: readonly (string | number)[]): number {
  // FNV-1a, then the finalizer of MurmurHash3, so that similar parts give unlike numbers.
  let hash = 0x811c9dc5
  for (const character of parts.join('\u0000')) {
    hash ^= character.codePointAt(0) ?? 0
    hash = Math.imul(hash, 0x01000193)
  }
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  hash ^= hash >>> 16
  return (hash >>> 0) / 2 ** 32
}

/** A whole number from `least` to `most`, both included. */
export function seededInteger(
  least: number,
  most: number,
  ...parts: readonly (string | number)[]
): number {
  return least + Math.floor(seededNumber(...parts) * (most - least + 1))
}

/** One of the choices. */
export function seededChoice<T>(
  choices: readonly [T, ...T[]],
  ...parts: readonly (string | number)[]
): T {
  return choices[Math.floor(seededNumber(...parts) * choices.length)] ?? choices[0]
}
