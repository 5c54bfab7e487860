import { lookup } from 'node:dns/promises'
import { ToolError } from '@surehand/core'

/** Finds all current addresses of a name. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/** Uses the machine's hosts file and resolver. */
export const systemResolve: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

/** Throws for an empty list, which would otherwise pass the check that no address is forbidden. */
export function requireAddress(found: readonly string[], host: string): readonly string[] {
  if (found.length > 0) return found
  throw new ToolError('TOOL_NETWORK_ERROR', `${host} has no address.`, { effect: 'none' })
}
