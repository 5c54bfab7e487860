import type { Buffer } from 'node:buffer'

// Below it, the collector of young objects is quicker.
const LEAST_BYTES = 16_384

/**
 * Gives the memory of bytes back that nobody reads again: a later reader finds none. Left to the
 * garbage collector, large bodies are collected with everything else: after 64 MB of them the whole
 * heap is, and other requests wait for parts of that.
 */
export function freeMemory({ buffer, byteOffset, length }: Buffer): void {
  // Bytes that share their memory are somebody else's as well.
  if (length < LEAST_BYTES || byteOffset > 0 || buffer.byteLength > length) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
