/** Which part of a list is wanted: at most `limit` items after the one that a page ended with. */
export type PageRequest = {
  readonly limit: number
  /** `next` of the page before; without it, the list is read from its beginning. */
  readonly after?: string | undefined
}

/**
 * A place in a list of what waits, in the order in which it expires. The time is part of it, because
 * a decision changes when a request expires.
 */
export type ExpiryPlace = { readonly at: number; readonly id: string }

const BEGINNING: ExpiryPlace = { at: 0, id: '' }

export function placeOf({
  expiresAt,
  id,
}: {
  readonly expiresAt: number
  readonly id: string
}): string {
  return `${expiresAt}.${id}`
}

/** The place that `placeOf` has named; without a name, the beginning of the list. */
export function readPlace(name: string | undefined): ExpiryPlace {
  if (name === undefined) return BEGINNING
  const [at = '', ...id] = name.split('.')
  return { at: Number.parseInt(at, 10) || 0, id: id.join('.') }
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
