import { isToolError, type ToolError } from '@surehand/core'
import type { Egress } from './egress.ts'
import { type Exchange, encodeContent } from './exchange.ts'
import type { EgressRequest } from './request.ts'
import type { EgressResponse, EgressResponseStream } from './response.ts'
import { createExchangeScrubber, type ExchangeScrubber } from './scrub-exchange.ts'

/**
 * Sends requests and passes every exchange, without its credentials, to `keep`, so that tests can
 * replay it without a network.
 */
export function recordingEgress(egress: Egress, keep: (exchange: Exchange) => void): Egress {
  async function fetchAndRecord(request: EgressRequest): Promise<EgressResponse> {
    const scrub = createExchangeScrubber(request)
    try {
      const answer = await egress.fetch(request)
      keep({ request: scrub.request, outcome: toRecordedResponse(answer, scrub) })
      return answer
    } catch (thrown) {
      if (isToolError(thrown))
        keep({ request: scrub.request, outcome: toRecordedFailure(thrown, scrub) })
      throw thrown
    }
  }
  return {
    fetch: fetchAndRecord,
    stream: async (request) => toStream(await fetchAndRecord(request)),
    close: egress.close,
  }
}

/** Turns a complete response into a streamed one. */
export function toStream({ status, headers, url, bytes }: EgressResponse): EgressResponseStream {
  async function* body() {
    if (bytes.length > 0) yield bytes
  }
  return { status, headers, url, body: body(), discard: () => undefined }
}

function toRecordedResponse(
  answer: EgressResponse,
  { text, bytes }: ExchangeScrubber,
): Exchange['outcome'] {
  const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie')
  return {
    status: answer.status,
    url: text(answer.url),
    headers: headers.map(([name, value]) => [name, text(value)]),
    body: encodeContent(bytes(answer.bytes)),
  }
}

function toRecordedFailure(
  { code, message, effect }: ToolError,
  { text }: ExchangeScrubber,
): Exchange['outcome'] {
  return { code, message: text(message), ...(effect === undefined ? {} : { effect }) }
}
