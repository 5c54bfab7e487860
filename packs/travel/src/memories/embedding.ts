import { decodeVector } from '@surehand/discovery'
import type { Embedding } from './memories-port.ts'

/** The embedding of a row, or null where it has none. */
export function decodeEmbedding(model: unknown, vector: unknown): Embedding | null {
  if (typeof model !== 'string' || typeof vector !== 'string') return null
  return { model, vector: [...decodeVector(vector)] }
}

/** The cosine of the angle between two vectors; 0 where one of them has no length. */
export function cosine(left: readonly number[], right: readonly number[]): number {
  let [dot, leftSquare, rightSquare] = [0, 0, 0]
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0
    dot += value * other
    leftSquare += value * value
    rightSquare += other * other
  }
  const length = Math.sqrt(leftSquare * rightSquare)
  return length === 0 ? 0 : dot / length
}
