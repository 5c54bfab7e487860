import { ToolError } from '@surehand/core'
import type { Egress } from './egress.ts'
import { accessDenied } from './egress-errors.ts'
import type { EgressRequest } from './request.ts'
import type { EgressResponseStream } from './response.ts'
import { formatTarget, readTarget } from './target.ts'

export type FetchThroughOptions = Pick<
  EgressRequest,
  'tenant' | 'credentialHeaders' | 'credentialQuery' | 'allow' | 'limits' | 'maxBytes'
>

const REDIRECT = /^30[12378]$/
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * A standard `fetch` that goes through egress, for libraries that accept one: MCP transports, JWKS
 * clients, SDKs. It rejects with a `ToolError`.
 */
export function fetchThrough(
  egress: Egress,
  options: FetchThroughOptions,
): typeof globalThis.fetch {
  return async (input, init) => {
    // Parsed here first, because the error that `Request` throws for an invalid URL quotes the URL
    // with its password.
    const target = readTarget(input instanceof Request ? input.url : String(input))
    const request = new Request(input, init)
    const answer = await egress.stream({
      ...options,
      url: target.url.href,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      redirect: request.redirect === 'follow' ? 'follow' : 'stop',
      signal: request.signal,
      ...(request.body === null ? {} : { body: new Uint8Array(await request.arrayBuffer()) }),
    })
    if (request.redirect === 'error' && REDIRECT.test(String(answer.status))) {
      answer.discard()
      throw accessDenied({
        where: formatTarget(target),
        why: 'it redirects, and the request allows no redirect',
        todo: 'Use the URL that it redirects to.',
      })
    }
    return toWebResponse(answer, request.method)
  }
}

function toWebResponse(answer: EgressResponseStream, method: string): Response {
  const { status, headers, url } = answer
  if (status > 599) {
    answer.discard()
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `${new URL(url).host} answered with the status ${status}.`,
      { effect: 'possible' },
    )
  }
  const hasBody = method !== 'HEAD' && !WITHOUT_BODY.has(status)
  if (!hasBody) answer.discard()
  const response = new Response(hasBody ? ReadableStream.from(answer.body) : null, {
    status,
    headers,
  })
  // The constructor of `Response` cannot set it.
  return Object.defineProperty(response, 'url', { value: url })
}
