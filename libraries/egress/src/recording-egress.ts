import { isToolError, type ToolError } from '@surehand/core'
import type { EgressAnswer, EgressStream } from './answer.ts'
import type { Egress } from './egress.ts'
import { contentOf, type Exchange } from './exchange.ts'
import type { EgressRequest } from './request.ts'
import { type Scrub, scrubFor } from './scrub-exchange.ts'

/** Passes requests on and hands every exchange, without its credentials, to `keep`: for tests that run without a network later. */
export function recordingEgress(egress: Egress, keep: (exchange: Exchange) => void): Egress {
  async function fetchKept(request: EgressRequest): Promise<EgressAnswer> {
    const scrub = scrubFor(request)
    try {
      const answer = await egress.fetch(request)
      keep({ request: scrub.request, outcome: answerKept(answer, scrub) })
      return answer
    } catch (thrown) {
      if (isToolError(thrown)) keep({ request: scrub.request, outcome: failureKept(thrown, scrub) })
      throw thrown
    }
  }
  return {
    fetch: fetchKept,
    stream: async (request) => asStream(await fetchKept(request)),
    close: egress.close,
  }
}

/** An answer that is all here, for who reads it as it comes. */
export function asStream({ status, headers, url, bytes }: EgressAnswer): EgressStream {
  async function* body() {
    if (bytes.length > 0) yield bytes
  }
  return { status, headers, url, body: body(), discard: () => undefined }
}

function answerKept(answer: EgressAnswer, { text, bytes }: Scrub): Exchange['outcome'] {
  const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie')
  return {
    status: answer.status,
    url: text(answer.url),
    headers: headers.map(([name, value]) => [name, text(value)]),
    body: contentOf(bytes(answer.bytes)),
  }
}

function failureKept({ code, message, effect }: ToolError, { text }: Scrub): Exchange['outcome'] {
  return { code, message: text(message), ...(effect === undefined ? {} : { effect }) }
}
