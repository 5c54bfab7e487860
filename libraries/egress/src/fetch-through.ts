import { ToolError } from '@surehand/core'
import type { EgressStream } from './answer.ts'
import type { Egress } from './egress.ts'
import { refusal } from './refusal.ts'
import type { EgressRequest } from './request.ts'
import { readTarget, whereOf } from './target.ts'

export type FetchThroughOptions = Pick<
  EgressRequest,
  'tenant' | 'credentialHeaders' | 'credentialQuery' | 'allow' | 'limits' | 'maxBytes'
>

const REDIRECT = /^30[12378]$/
const WITHOUT_BODY = new Set([204, 205, 304])

/** The web's `fetch` through egress, for libraries that take one: MCP transports, key sets, SDKs. It rejects with errors of the table. */
export function fetchThrough(
  egress: Egress,
  options: FetchThroughOptions,
): typeof globalThis.fetch {
  return async (input, init) => {
    // read by us first: the web's own error for a bad URL quotes it, password and all
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
      throw refusal({
        where: whereOf(target),
        why: 'it redirects, and the caller wants none',
        todo: 'Send the URL it ends at.',
      })
    }
    return responseOf(answer, request.method)
  }
}

function responseOf(answer: EgressStream, method: string): Response {
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
  // what the constructor can't be told
  return Object.defineProperty(response, 'url', { value: url })
}
