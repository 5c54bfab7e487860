import { Buffer } from 'node:buffer'

/** JSON has no bytes: in process they may be handed in for the fields that take base64. */
export function bytesAsText(input: unknown, fields: ReadonlySet<string>): unknown {
  if (fields.size === 0 || typeof input !== 'object' || input === null) return input
  const given = Object.entries(input)
  return given.some(([name, value]) => isBytesFor(name, value, fields))
    ? Object.fromEntries(
        given.map(([name, value]) => [
          name,
          isBytesFor(name, value, fields) ? base64(value as Uint8Array) : value,
        ]),
      )
    : input
}

function isBytesFor(name: string, value: unknown, fields: ReadonlySet<string>): boolean {
  return value instanceof Uint8Array && fields.has(name)
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
