const SIZES = [64, 8, 1]

/** Cuts a list into pieces of few different lengths: a statement's text grows with its rows, and a database keeps a few texts prepared. */
export function* inChunks<T>(items: readonly T[]): Generator<readonly T[]> {
  let from = 0
  for (const size of SIZES) {
    for (; items.length - from >= size; from += size) yield items.slice(from, from + size)
  }
}
