import { decodeVector, encodeVector } from '@surehand/discovery'

/** The vectors of a tenant's pages in one piece of memory, each as signed bytes. */
export function createPageVectors() {
  let size = 0
  let values = new Int8Array(0)
  // The length of each vector; 0 where a page has none.
  let norms = new Float32Array(0)

  function grow(slots: number): void {
    if (norms.length >= slots) return
    const largerValues = new Int8Array(slots * 2 * size)
    largerValues.set(values)
    values = largerValues
    const largerNorms = new Float32Array(slots * 2)
    largerNorms.set(norms)
    norms = largerNorms
  }

  return {
    put(slot: number, vector: Int8Array): void {
      if (size === 0) size = vector.length
      // Of another model: it cannot be compared.
      if (vector.length !== size || size % 4 !== 0) return
      grow(slot + 1)
      values.set(vector, slot * size)
      norms[slot] = Math.hypot(...vector)
    },
    remove(slot: number): void {
      if (slot < norms.length) norms[slot] = 0
    },
    isEmpty: (): boolean => size === 0,
    has: (slot: number): boolean => (norms[slot] ?? 0) > 0,
    /** The cosine of every page with a vector; 0 for the others. */
    compare(query: readonly number[]): Float32Array {
      const cosines = new Float32Array(norms.length)
      if (query.length !== size) return cosines
      const wanted = decodeVector(encodeVector(query))
      const length = Math.hypot(...wanted)
      for (let slot = 0; slot < norms.length; slot++) {
        const norm = norms[slot] ?? 0
        if (norm > 0 && length > 0)
          cosines[slot] = multiply(values, slot * size, wanted) / (norm * length)
      }
      return cosines
    },
  }
}

// Four sums of whole numbers take half the time of one: the processor adds them side by side.
function multiply(values: Int8Array, start: number, by: Int8Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  for (let at = 0; at < by.length; at += 4) {
    const from = start + at
    first = (first + Math.imul(values[from] as number, by[at] as number)) | 0
    second = (second + Math.imul(values[from + 1] as number, by[at + 1] as number)) | 0
    third = (third + Math.imul(values[from + 2] as number, by[at + 2] as number)) | 0
    fourth = (fourth + Math.imul(values[from + 3] as number, by[at + 3] as number)) | 0
  }
  return first + second + third + fourth
}
