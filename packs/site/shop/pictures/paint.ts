/** Numbers from 0 to 1 that follow from a text: the same picture is always the same. */
export type Dice = () => number

export function createDice(seed: string): Dice {
  let state = 2166136261
  for (const character of seed) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619)
  }
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A colour between two, 0 is the first. */
export function mix(one: string, other: string, share: number): string {
  const channel = (colour: string, index: number) =>
    Number.parseInt(colour.slice(1 + index * 2, 3 + index * 2), 16)
  const mixed = [0, 1, 2].map((index) =>
    Math.round(channel(one, index) * (1 - share) + channel(other, index) * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${mixed.join('')}`
}

export const darken = (colour: string, share: number): string => mix(colour, '#1d0f14', share)
export const lighten = (colour: string, share: number): string => mix(colour, '#fff8ef', share)

/** A number with one decimal: drawings stay small. */
export function n(value: number): string {
  return String(Math.round(value * 10) / 10)
}

export function place(x: number, y: number, turn: number, content: string): string {
  return `<g transform="translate(${n(x)} ${n(y)}) rotate(${n(turn)})">${content}</g>`
}

/** A petal from the origin upwards. */
export function petal(length: number, width: number, fill: string, more = ''): string {
  const w = width / 2
  return `<path d="M0 0C${n(-w * 1.25)} ${n(-length * 0.25)} ${n(-w * 1.15)} ${n(-length)} 0 ${n(-length)}C${n(w * 1.15)} ${n(-length)} ${n(w * 1.25)} ${n(-length * 0.25)} 0 0Z" fill="${fill}"${more}/>`
}

export function rotate(degrees: number, content: string): string {
  return `<g transform="rotate(${n(degrees)})">${content}</g>`
}

/** A leaf from the origin upwards, with its rib. */
export function leaf(length: number, width: number, fill: string): string {
  const w = width / 2
  return `<path d="M0 0C${n(-w * 1.3)} ${n(-length * 0.35)} ${n(-w * 0.8)} ${n(-length * 0.8)} 0 ${n(-length)}C${n(w * 0.8)} ${n(-length * 0.8)} ${n(w * 1.3)} ${n(-length * 0.35)} 0 0Z" fill="${fill}"/><path d="M0 0V${n(-length * 0.9)}" stroke="${darken(fill, 0.18)}" stroke-width="1.4" fill="none"/>`
}
