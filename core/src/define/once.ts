/**
 * Creates a value on first use: a process that starts for one call must not wait for what only
 * others need.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
