import { ToolError } from '@surehand/core'
import { type Clock, type Maybe, systemClock } from '@surehand/core/ports'
import { type EgressAnswer, type EgressStream, wholeAnswer } from './answer.ts'
import { trustIn } from './connect.ts'
import { type Dial, systemDial } from './dial.ts'
import { DEFAULT_LIMITS, type EgressLimits } from './limits.ts'
import { patience } from './patience.ts'
import type { EgressPolicy } from './policy.ts'
import { createPools } from './pools.ts'
import { type EgressRequest, readRequest } from './request.ts'
import { type Resolve, systemResolve } from './resolve.ts'
import { travel } from './travel.ts'

export type EgressOptions = {
  /** What a tenant's requests may reach; public hosts at the ports of the web where nothing is said. */
  readonly policyOf?: (tenant: string) => Maybe<EgressPolicy>
  readonly limits?: Partial<EgressLimits>
  readonly clock?: Clock
  readonly resolve?: Resolve
  readonly dial?: Dial
  /** PEM, trusted besides those the machine trusts: for a house with an authority of its own. */
  readonly certificateAuthorities?: readonly string[]
}

/** The one way out: everything that fetches a URL somebody supplied goes through it. */
export type Egress = {
  /** Sends, follows redirects, and gives the whole answer, whatever its status. */
  readonly fetch: (request: EgressRequest) => Promise<EgressAnswer>
  /** The same, with the body as it comes. */
  readonly stream: (request: EgressRequest) => Promise<EgressStream>
  /** Ends everything, what is under way included. */
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
  const house = { ...DEFAULT_LIMITS, ...options.limits }
  const pools = createPools({
    dial,
    clock,
    connectMs: house.connectMs,
    trust: trustIn(certificateAuthorities),
  })

  async function policyFor({ tenant, allow = [] }: EgressRequest): Promise<EgressPolicy> {
    try {
      const policy = (await options.policyOf?.(tenant)) ?? {}
      return { ...policy, allow: [...(policy.allow ?? []), ...allow] }
    } catch (cause) {
      throw new ToolError(
        'TOOL_RESOURCE_UNAVAILABLE',
        'The egress policy can not be read now, so nothing was sent.',
        {
          effect: 'none',
          cause,
        },
      )
    }
  }

  async function stream(request: EgressRequest): Promise<EgressStream> {
    const first = readRequest(request)
    const limits = {
      ...house,
      ...request.limits,
      ...(request.maxBytes === undefined ? {} : { maxBytes: request.maxBytes }),
    }
    const whole = patience({
      clock,
      limitMs: limits.wholeMs,
      failing: 'did not finish',
      signal: request.signal,
    })
    try {
      return await travel(first, {
        request,
        policy: await policyFor(request),
        limits,
        whole,
        clock,
        resolve,
        pools,
      })
    } catch (thrown) {
      whole.end()
      throw thrown
    }
  }

  return {
    stream,
    fetch: async (request) => wholeAnswer(await stream(request)),
    close: pools.close,
  }
}
