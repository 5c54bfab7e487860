/**
 * Computes a value when it is first asked for. All patterns of all languages take about 80 ms to
 * compile: at load they would delay every process that only might read a date.
 */
export function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}
