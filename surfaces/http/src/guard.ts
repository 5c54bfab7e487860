import { edgeError } from './edge-error.ts'
import type { Surface } from './options.ts'
import type { WireContext } from './wire.ts'

/** Refuses what was meant for another host or comes from another's page: a rebound name or a foreign form gets nowhere. */
export function guard(context: WireContext, surface: Surface): void {
  const host = context.req.header('host')
  if (host === undefined || countHosts(context, host) !== 1) throw edgeError('malformed', 'A request has exactly one Host header.')
  if (!surface.hosts.has(host.toLowerCase())) throw edgeError('foreign_host', 'This host is not served here.')
  const origin = context.req.header('origin')
  if (origin !== undefined && origin !== surface.origin && !surface.corsOrigins.has(origin))
    throw edgeError('foreign_origin', 'Pages of this origin may not call here.')
}

// Node keeps the first of two and drops the other, which a proxy in front may have gone by
function countHosts(context: WireContext, host: string): number {
  const raw = context.env?.incoming?.rawHeaders
  if (raw === undefined) return host.split(',').length
  let hosts = 0
  for (let index = 0; index < raw.length; index += 2) if (raw[index]?.toLowerCase() === 'host') hosts++
  return hosts
}
