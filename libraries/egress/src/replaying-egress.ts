import { ToolError, type ToolErrorCode } from '@surehand/core'
import { ERRORS } from '@surehand/core/host'
import type { Egress } from './egress.ts'
import { decodeContent, type Exchange } from './exchange.ts'
import { toStream } from './recording-egress.ts'
import { type EgressRequest, readRequest } from './request.ts'
import { createResponse, type EgressResponse } from './response.ts'
import { createExchangeScrubber } from './scrub-exchange.ts'

/**
 * Answers from a recording without a network. Each exchange is used once; equal requests get their
 * responses in the recorded order.
 */
export function replayingEgress(exchanges: readonly Exchange[]): Egress {
  const left = [...exchanges]

  async function replay(given: EgressRequest): Promise<EgressResponse> {
    const { request } = createExchangeScrubber(given)
    const index = left.findIndex((exchange) => keyOf(exchange.request) === keyOf(request))
    const [exchange] = index === -1 ? [] : left.splice(index, 1)
    if (exchange === undefined) {
      // An invalid request gets the error that egress would give.
      readRequest(given)
      throw notRecorded(request, left)
    }
    return toResponse(exchange.outcome)
  }
  return {
    fetch: replay,
    stream: async (request) => toStream(await replay(request)),
    close: async () => undefined,
  }
}

// Headers are not compared, because they change between versions without changing the request.
function keyOf({ method, url, body }: Exchange['request']): string {
  return JSON.stringify([method, url, body])
}

function toResponse(outcome: Exchange['outcome']): EgressResponse {
  if (!('code' in outcome))
    return createResponse({
      ...outcome,
      headers: new Headers(outcome.headers),
      bytes: decodeContent(outcome.body),
    })
  const code = Object.hasOwn(ERRORS, outcome.code)
    ? (outcome.code as ToolErrorCode)
    : 'TOOL_INTERNAL_ERROR'
  throw new ToolError(
    code,
    outcome.message,
    outcome.effect === undefined ? {} : { effect: outcome.effect },
  )
}

function notRecorded(request: Exchange['request'], left: readonly Exchange[]): ToolError {
  const known = left.map((exchange) => nameOf(exchange.request))
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The recording has no unused exchange for ${nameOf(request)}. Record it again.`,
    {
      effect: 'none',
      details: { left: known.slice(0, 20) },
    },
  )
}

function nameOf({ method, url }: Exchange['request']): string {
  const { origin, pathname } = URL.parse(url) ?? { origin: url, pathname: '' }
  return `${method} ${origin}${pathname}`
}
