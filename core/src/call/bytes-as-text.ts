import { Buffer } from 'node:buffer'

/** JSON has no bytes: in process they may be handed in, as a field of the input, where a tool takes base64. */
export function bytesAsText(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  // every call comes by here: nothing is made where there are no bytes
  for (const name in input) if ((input as Record<string, unknown>)[name] instanceof Uint8Array) return withText(input)
  return input
}

function withText(input: object): unknown {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, value instanceof Uint8Array ? base64(value) : value]))
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
