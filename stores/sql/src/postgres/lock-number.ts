import { sha256 } from '@surehand/core/worker-entry'

/** The number of a name's lock: 64 bits, so that two names hardly ever collide. */
export function lockNumber(name: string): string {
  return BigInt.asIntN(64, BigInt(`0x${sha256(name).slice(0, 16)}`)).toString()
}
