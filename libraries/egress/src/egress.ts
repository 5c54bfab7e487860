import { ToolError } from '@surehand/core'
import { type Clock, type Maybe, systemClock } from '@surehand/core/ports'
import { createTrustContext } from './connect.ts'
import { startDeadline } from './deadline.ts'
import { type Dial, systemDial } from './dial.ts'
import { followRedirects } from './follow-redirects.ts'
import { DEFAULT_LIMITS, type EgressLimits } from './limits.ts'
import type { EgressPolicy } from './policy.ts'
import { createPools } from './pools.ts'
import { type EgressRequest, readRequest } from './request.ts'
import { type Resolve, systemResolve } from './resolve.ts'
import { type EgressResponse, type EgressResponseStream, readResponse } from './response.ts'

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
