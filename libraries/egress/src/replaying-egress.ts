import { ToolError, type ToolErrorCode } from '@surehand/core'
import { ERRORS } from '@surehand/core/host'
import { answerOf, type EgressAnswer } from './answer.ts'
import type { Egress } from './egress.ts'
import { bytesOf, type Exchange } from './exchange.ts'
import { asStream } from './recording-egress.ts'
import { type EgressRequest, readRequest } from './request.ts'
import { scrubFor } from './scrub-exchange.ts'

/** Answers from a recording and never goes out. Each exchange answers once, equal requests in the order they were recorded. */
export function replayingEgress(exchanges: readonly Exchange[]): Egress {
  const left = [...exchanges]

  async function replay(given: EgressRequest): Promise<EgressAnswer> {
    const { request } = scrubFor(given)
    const index = left.findIndex((exchange) => keyOf(exchange.request) === keyOf(request))
    const [exchange] = index === -1 ? [] : left.splice(index, 1)
    if (exchange === undefined) {
      // what could not be sent either is told as egress would tell it
      readRequest(given)
      throw unknown(request, left)
    }
    return told(exchange.outcome)
  }
  return {
    fetch: replay,
    stream: async (request) => asStream(await replay(request)),
    close: async () => undefined,
  }
}

// headers are left out: which ones go along is no part of what is asked
function keyOf({ method, url, body }: Exchange['request']): string {
  return JSON.stringify([method, url, body])
}

function told(outcome: Exchange['outcome']): EgressAnswer {
  if (!('code' in outcome))
    return answerOf({
      ...outcome,
      headers: new Headers(outcome.headers),
      bytes: bytesOf(outcome.body),
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

function unknown(request: Exchange['request'], left: readonly Exchange[]): ToolError {
  const known = left.map((exchange) => nameOf(exchange.request))
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `No recording answers ${nameOf(request)}, or all that did are used up. Record it again.`,
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
