import type { IncomingHttpHeaders } from 'node:http'
import type { McpHttpOptions } from './http-options.ts'

export type Refusal = { readonly status: number; readonly message: string }

/** What is known of a request before its body; `rawHeaders` is undefined where each header is known to have come once. */
export type Heading = {
  readonly headers: Pick<IncomingHttpHeaders, 'host' | 'origin' | 'authorization'>
  readonly rawHeaders: readonly string[] | undefined
}

/** Refuses a page or a name that was not let in: the browser of somebody in this house would otherwise call for a stranger. */
export function guardRequest(
  { headers, rawHeaders }: Heading,
  options: McpHttpOptions,
): Refusal | undefined {
  const { host, origin } = headers
  // with two of them, a proxy and we could each believe another one
  if (host === undefined || (rawHeaders !== undefined && countOf(rawHeaders, 'host') !== 1))
    return { status: 400, message: 'Exactly one Host header is expected.' }
  if (!options.hosts.includes(host))
    return { status: 403, message: `The host "${host}" is not served here.` }
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
export function bearerOf({ headers }: Pick<Heading, 'headers'>): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1]
}
