import { invalidArgument } from './invalid-argument.ts'

/** The bytes of a base64 text; anything else is refused rather than guessed at. */
export function bytesOf(text: unknown, argument: string): Uint8Array<ArrayBuffer> {
  const plain = typeof text === 'string' ? text.replaceAll(/[\r\n]/g, '') : ''
  if (typeof text !== 'string' || plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain))
    throw invalidArgument(argument, 'is no base64')
  return Uint8Array.from(Buffer.from(plain, 'base64'))
}
