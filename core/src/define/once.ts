/** Made when it is first asked for: whoever starts for one call does not wait for what the others need. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
