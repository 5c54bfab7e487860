import { Buffer } from 'node:buffer'
import type { Embedding } from './memories-port.ts'

/** A vector as signed bytes. Its length is lost, which the cosine does not depend on. */
export function encodeVector(vector: readonly number[]): string {
  const largest = Math.max(...vector.map(Math.abs), Number.MIN_VALUE)
  return Buffer.from(
    Int8Array.from(vector, (value) => Math.round((value / largest) * 127)).buffer,
  ).toString('base64')
}

export function decodeVector(text: string): readonly number[] {
  const bytes = Buffer.from(text, 'base64')
  return [...new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)]
}

/** The embedding of a row, or null where it has none. */
export function decodeEmbedding(model: unknown, vector: unknown): Embedding | null {
  if (typeof model !== 'string' || typeof vector !== 'string') return null
  return { model, vector: decodeVector(vector) }
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
