/** What the vendor's client does to its process when it makes a poisonous item. */
export const POISONS = ['reject', 'throw', 'die'] as const
export type Poison = (typeof POISONS)[number]

/** The item's name says how it is poisonous. */
export function poisonPrefix(poison: Poison): string {
  return `poison-${poison}-`
}

/** Leaves an error behind, or ends the process, if the item is poisonous. */
export function applyPoison(item: string): void {
  switch (POISONS.find((poison) => item.startsWith(poisonPrefix(poison)))) {
    case 'reject':
      void Promise.reject(new Error('left behind'))
      return
    case 'throw':
      setImmediate(() => {
        throw new Error('left behind')
      })
      return
    case 'die':
      process.kill(process.pid, 'SIGKILL')
      return
    case undefined:
      return
  }
}
