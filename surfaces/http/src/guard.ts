import { edgeError } from './edge-error.ts'
import type { Surface } from './options.ts'
import type { Visit } from './visit.ts'

/** Refuses what was meant for another host or comes from another's page: a rebound name or a foreign form gets nowhere. */
export function guard(visit: Visit, surface: Surface): void {
  const host = visit.header('host')
  const twice = visit.rawHeaders === undefined ? undefined : sentTwice(visit.rawHeaders)
  if (host === undefined || host.includes(',') || twice !== undefined)
    throw edgeError('malformed', `A request has exactly one ${twice ?? 'Host'} header.`)
  if (!surface.hosts.has(host.toLowerCase()))
    throw edgeError('foreign_host', 'This host is not served here.')
  const origin = visit.header('origin')
  if (origin !== undefined && origin !== surface.origin && !surface.corsOrigins.has(origin))
    throw edgeError('foreign_origin', 'Pages of this origin may not call here.')
}

// Node keeps the first of two and drops the other, which a proxy in front may have gone by; by their lengths, which few headers share
const ONCE: ReadonlyMap<number, string> = new Map(
  ['Host', 'Content-Type', 'Authorization'].map((name) => [name.length, name]),
)

function sentTwice(rawHeaders: readonly string[]): string | undefined {
  let seen = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? ''
    const name = ONCE.get(given.length)
    if (name === undefined || given.toLowerCase() !== name.toLowerCase()) continue
    if ((seen & (1 << name.length)) !== 0) return name
    seen |= 1 << name.length
  }
  return undefined
}
