const SIZES = [64, 8, 1]

/**
 * Splits a list into parts of few different lengths: a statement's text depends on its number of
 * rows, and a database caches few texts.
 */
export function* inChunks<T>(items: readonly T[]): Generator<readonly T[]> {
  let from = 0
  for (const size of SIZES) {
    for (; items.length - from >= size; from += size) yield items.slice(from, from + size)
  }
}
