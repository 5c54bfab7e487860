import { hash } from 'node:crypto'

/** Reproducible random numbers: the same seed gives the same sequence. */
export type Dice = {
  /** 0 ≤ x < sides. */
  readonly below: (sides: number) => number
  readonly between: (least: number, most: number) => number
  readonly pick: <T>(items: readonly T[]) => T
}

export function diceOf(seed: string): Dice {
  let throws = 0
  const below = (sides: number) =>
    Number.parseInt(hash('sha256', `${seed} ${throws++}`, 'hex').slice(0, 12), 16) % sides
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('Nothing to pick from.')
      return item
    },
  }
}
