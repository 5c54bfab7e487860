/** Chance that comes out the same for the same seed, on every machine. */
export type Chance = {
  /** A whole number, both ends included. */
  readonly whole: (least: number, most: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  /** True in this share of all times. */
  readonly is: (share: number) => boolean
  readonly shuffle: <T>(list: readonly T[]) => readonly T[]
}

export function chanceOf(seed: string): Chance {
  let state = mix(seed)
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let bits = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1))
  const pick = <T>(list: readonly T[]): T => {
    const found = list[whole(0, list.length - 1)]
    if (found === undefined) throw new Error('There is nothing to pick from.')
    return found
  }
  return { whole, pick, is: (share) => next() < share, shuffle: (list) => shuffled(list, whole) }
}

function shuffled<T>(list: readonly T[], whole: Chance['whole']): readonly T[] {
  const rest = [...list]
  return list.flatMap(() => rest.splice(whole(0, rest.length - 1), 1))
}

function mix(seed: string): number {
  let hash = 0x811c9dc5
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
