import type { ServerCapabilities } from '@modelcontextprotocol/server'
import type { Surface } from './options.ts'
import { probeCapabilities } from './sdk-server.ts'
import { REVISION } from './stateless-request.ts'

export type Discovered = {
  readonly supportedVersions: string[]
  readonly capabilities: ServerCapabilities
  readonly instructions?: string
  readonly ttlMs: number
  readonly cacheScope: 'public'
}

const known = new WeakMap<Surface, Discovered>()

/** The protocol versions and capabilities of this server: the same for every client, so they are computed once. */
export function discover(surface: Surface): Discovered {
  const made = known.get(surface) ?? {
    supportedVersions: [REVISION],
    capabilities: probeCapabilities(surface),
    ...(surface.instructions === undefined ? {} : { instructions: surface.instructions }),
    ttlMs: surface.listTtlMs,
    cacheScope: 'public' as const,
  }
  known.set(surface, made)
  return made
}
