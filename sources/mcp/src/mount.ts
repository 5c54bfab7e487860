import type { ForeignCall, ForeignSource } from '@surehand/core/host'
import { keepLarge } from './keep-large.ts'
import type { ForeignListing } from './listing.ts'
import type { MountHealth } from './mount-health.ts'
import type { MountOptions } from './mount-options.ts'
import { MountedServer } from './mounted-server.ts'
import { refuseNamespace } from './tool-ids.ts'
import { checkAddress } from './transport.ts'

/** A mounted MCP server. It is connected on first use. */
export type Mount = {
  readonly name: string
  /** The current list of tools. */
  readonly tools: (signal?: AbortSignal) => Promise<ForeignListing>
  readonly source: ForeignSource
  readonly health: () => MountHealth
  readonly close: () => Promise<void>
}

/**
 * Mounts a server. Nothing is started or sent before the first call or listing.
 * @example
 * const mount = mountMcp({ name: 'notes', transport: { kind: 'stdio', command: 'notes-server' }, environment, clock })
 * const { tools } = mountedTools(await mount.tools(), { name: 'notes', port: foreignPort('notes', { keysValidFor: '24h' }), schemas })
 */
export function mountMcp(options: MountOptions): Mount {
  refuseNamespace(options.name)
  checkAddress(options.transport)
  const mounted = new MountedServer(options)
  const carry = async (call: ForeignCall, signal: AbortSignal) =>
    keepLarge(await mounted.call(call, signal), call.caller, options.keep)
  return {
    name: options.name,
    tools: (signal) => mounted.tools(signal),
    source: { read: carry, write: carry, writeOnce: carry },
    health: () => mounted.health(),
    close: () => mounted.close(),
  }
}
