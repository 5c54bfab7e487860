import { createHash } from 'node:crypto'

/** The number of a name's lock: 64 bits, so that two names hardly ever wait for each other. */
export function lockNumber(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString()
}
