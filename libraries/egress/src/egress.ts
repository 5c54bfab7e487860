import { ToolError } from '@surehand/core'
import { type Clock, type Maybe, systemClock } from '@surehand/core/ports'
import { createTrustContext } from './connect.ts'
import { startDeadline } from './deadline.ts'
import { type Dial, systemDial } from './dial.ts'
import { accessDenied } from './egress-errors.ts'
import { followRedirects } from './follow-redirects.ts'
import { DEFAULT_LIMITS, type EgressLimits } from './limits.ts'
import type { EgressPolicy } from './policy.ts'
import { createPools } from './pools.ts'
import { type EgressRequest, readRequest } from './request.ts'
import { type Resolve, systemResolve } from './resolve.ts'
import { type EgressResponse, type EgressResponseStream, readResponse } from './response.ts'
import { formatTarget, readTarget } from './target.ts'

export type EgressOptions = {
  /** The hosts that a tenant's requests may reach. Default: public hosts on ports 80 and 443. */
  readonly policyOf?: (tenant: string) => Maybe<EgressPolicy>
  readonly limits?: Partial<EgressLimits>
  readonly clock?: Clock
  readonly resolve?: Resolve
  readonly dial?: Dial
  /**
   * Certificate authorities (PEM) that are trusted in addition to the machine's, for a private
   * authority.
   */
  readonly certificateAuthorities?: readonly string[]
}

/**
 * Outgoing HTTP. Every URL that comes from a tool, a document or a tenant must be fetched with it.
 */
export type Egress = {
  /** Sends a request, follows redirects, and returns the whole response, whatever its status. */
  readonly fetch: (request: EgressRequest) => Promise<EgressResponse>
  /** The same, with a streamed body. */
  readonly stream: (request: EgressRequest) => Promise<EgressResponseStream>
  /** Ends all connections, including requests in progress. */
  readonly close: () => Promise<void>
}

/**
 * @example
 * const egress = createEgress({ policyOf: () => ({ allow: [{ host: '127.0.0.1', port: 4010 }] }) })
 * const answer = await egress.fetch({ tenant: 'acme', url: 'https://api.example.com/v1/things', headers: { authorization: 'Bearer …' } })
 */
export function createEgress(options: EgressOptions = {}): Egress {
  const {
    clock = systemClock(),
    resolve = systemResolve,
    dial = systemDial,
    certificateAuthorities = [],
  } = options
  const defaults = { ...DEFAULT_LIMITS, ...options.limits }
  const pools = createPools({
    dial,
    clock,
    connectMs: defaults.connectMs,
    trust: createTrustContext(certificateAuthorities),
  })

  async function policyFor({ tenant, allow = [] }: EgressRequest): Promise<EgressPolicy> {
    try {
      const policy = (await options.policyOf?.(tenant)) ?? {}
      return { ...policy, allow: [...(policy.allow ?? []), ...allow] }
    } catch (cause) {
      throw new ToolError(
        'TOOL_RESOURCE_UNAVAILABLE',
        'The egress policy could not be read, so nothing was sent. Try again later.',
        {
          effect: 'none',
          cause,
        },
      )
    }
  }

  async function stream(request: EgressRequest): Promise<EgressResponseStream> {
    const first = readRequest(request)
    const limits = {
      ...defaults,
      ...request.limits,
      ...(request.maxBytes === undefined ? {} : { maxBytes: request.maxBytes }),
    }
    const deadline = startDeadline({
      clock,
      limitMs: limits.totalMs,
      failure: 'did not finish',
      signal: request.signal,
    })
    try {
      return await followRedirects(first, {
        request,
        policy: await policyFor(request),
        limits,
        deadline,
        clock,
        resolve,
        pools,
      })
    } catch (thrown) {
      deadline.end()
      throw thrown
    }
  }

  return {
    stream,
    fetch: async (request) => readResponse(await stream(request)),
    close: pools.close,
  }
}

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
