/**
 * Maps a list with at most `atOnce` calls in progress, and returns the results in the list's order.
 */
export async function mapConcurrently<T, R>(
  list: readonly T[],
  atOnce: number,
  run: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const entries = list.entries()
  const runNext = async (): Promise<void> => {
    for (const [index, one] of entries) results[index] = await run(one)
  }
  await Promise.all(Array.from({ length: atOnce }, runNext))
  return results
}
