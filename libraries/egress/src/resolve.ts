import { lookup } from 'node:dns/promises'
import { ToolError } from '@surehand/core'

/** All addresses of a name, now. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/** The machine's own way: its hosts file, its resolver. */
export const systemResolve: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

/** A name that has no address can't be connected to, and an empty list must not read as "nothing forbidden in it". */
export function someAddress(found: readonly string[], host: string): readonly string[] {
  if (found.length > 0) return found
  throw new ToolError('TOOL_NETWORK_ERROR', `${host} has no address.`, { effect: 'none' })
}
