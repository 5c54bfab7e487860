/** Random choices that are the same for the same seed, on every machine. */
export type SeededRandom = {
  /** An integer, both bounds included. */
  readonly whole: (min: number, max: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  /** True with this probability. */
  readonly is: (share: number) => boolean
  readonly shuffle: <T>(list: readonly T[]) => readonly T[]
}

/** Random choices for generated test data; never for ids or secrets. */
export function seededRandom(seed: string): SeededRandom {
  let state = hashSeed(seed)
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let bits = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
  }
  const whole = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const pick = <T>(list: readonly T[]): T => {
    const found = list[whole(0, list.length - 1)]
    if (found === undefined) throw new Error('pick needs a list with at least one entry.')
    return found
  }
  return { whole, pick, is: (share) => next() < share, shuffle: (list) => shuffle(list, whole) }
}

function shuffle<T>(list: readonly T[], whole: SeededRandom['whole']): readonly T[] {
  const rest = [...list]
  return list.flatMap(() => rest.splice(whole(0, rest.length - 1), 1))
}

function hashSeed(seed: string): number {
  let hash = 0x811c9dc5
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
