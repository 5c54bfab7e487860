import type { IncomingMessage } from 'node:http'
import type { McpHttpOptions } from './http-options.ts'

export type Refusal = { readonly status: number; readonly message: string }

/** Refuses a page or a name that was not let in: the browser of somebody in this house would otherwise call for a stranger. */
export function guardRequest(request: IncomingMessage, options: McpHttpOptions): Refusal | undefined {
  const { host, origin } = request.headers
  // with two of them, a proxy and we could each believe another one
  if (countOf(request.rawHeaders, 'host') !== 1 || host === undefined)
    return { status: 400, message: 'Exactly one Host header is expected.' }
  if (!options.hosts.includes(host)) return { status: 403, message: `The host "${host}" is not served here.` }
  if (origin !== undefined && !(options.origins ?? []).includes(origin))
    return { status: 403, message: `Pages of "${origin}" may not call here.` }
  return undefined
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? ''
    if (given.length === name.length && given.toLowerCase() === name) count++
  }
  return count
}

/** The bearer token of a request. */
export function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(request.headers.authorization ?? '')?.[1]
}
