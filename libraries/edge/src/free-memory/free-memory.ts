import type { Buffer } from 'node:buffer'

// Fewer are left to the collector.
const LEAST_BYTES = 16_384

/**
 * Gives back the memory of bytes that nobody reads again: a later reader finds none. Otherwise the
 * whole heap is collected after 64 MB of large bodies, and other requests wait for parts of that.
 */
export function freeMemory({ buffer, byteOffset, length }: Buffer): void {
  // Bytes that share their memory are somebody else's as well.
  if (length < LEAST_BYTES || byteOffset > 0 || buffer.byteLength > length) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
