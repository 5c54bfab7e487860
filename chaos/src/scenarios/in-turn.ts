/** Does something with each, so many at a time, and gives back the answers in the order of the list. */
export async function inTurn<T, R>(
  list: readonly T[],
  atOnce: number,
  run: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const entries = list.entries()
  const hand = async (): Promise<void> => {
    for (const [index, one] of entries) results[index] = await run(one)
  }
  await Promise.all(Array.from({ length: atOnce }, hand))
  return results
}
