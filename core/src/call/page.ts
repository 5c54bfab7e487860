/** Which part of a list is wanted: at most `limit` items after the one that a page ended with. */
export type PageRequest = {
  readonly limit: number
  /** `next` of the page before; without it, the list is read from its beginning. */
  readonly after?: string | undefined
}

/** A part of a list. A page may hold fewer items than wanted although there is a next one. */
export type Page<T> = {
  readonly items: readonly T[]
  /** Names the last item that was looked at; undefined at the end of the list. */
  readonly next: string | undefined
}

/**
 * The page out of what a store returned for one item more than the limit: only so is it known
 * whether there is a next page.
 */
export function toPage<T>(
  found: readonly T[],
  limit: number,
  nameOf: (item: T) => string,
): Page<T> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: found.length > limit && last !== undefined ? nameOf(last) : undefined }
}
