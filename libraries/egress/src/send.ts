import { Readable } from 'node:stream'
import type { Clock } from '@surehand/core/ports'
import type { Dispatcher } from 'undici'
import { timedOut } from './deadline.ts'
import type { OutgoingRequest } from './request.ts'

/** The status and headers of a response, with its body still compressed and arriving. */
export type ResponseHead = {
  readonly status: number
  readonly headers: Headers
  readonly wire: Readable
}

export type SendOptions = {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly headersMs: number
  /**
   * Called just before the first byte is written: from then on the request may have had an effect.
   */
  readonly onFirstByte: () => void
}

const MAX_INFORMATIONAL = 16

/**
 * Sends one request and returns as soon as the response headers have arrived. Aborting the signal
 * ends the body too.
 */
export function send(
  pool: Dispatcher,
  outgoing: OutgoingRequest,
  { clock, signal, headersMs, onFirstByte }: SendOptions,
): Promise<ResponseHead> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let wire: Readable | undefined
    let informational = 0
    let cancelLimit = () => {}

    function end(): void {
      cancelLimit()
      signal.removeEventListener('abort', onAbort)
    }
    function fail(reason: Error): void {
      end()
      reject(reason)
      wire?.destroy(reason)
      controller?.abort(reason)
    }
    const onAbort = () => fail(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })

    pool.dispatch(toDispatchOptions(outgoing), {
      onRequestStart(started) {
        // A request that was cancelled while it waited for a connection is still in the queue.
        if (signal.aborted) return started.abort(signal.reason)
        controller = started
        onFirstByte()
        cancelLimit = clock.after(headersMs, () => fail(timedOut('did not answer', headersMs)))
      },
      onResponseStart(_, status, headers) {
        if (status < 200) {
          informational++
          if (informational > MAX_INFORMATIONAL)
            fail(
              Object.assign(new Error('Too many interim responses.'), { code: 'TOO_MANY_INTERIM' }),
            )
          return
        }
        cancelLimit()
        wire = new Readable({
          read: () => controller?.resume(),
          destroy(error, done) {
            end()
            controller?.abort(error ?? new Error('The rest of the response was discarded.'))
            done(error)
          },
        })
        // The reader gets the error too. An `error` event without a listener would end the process.
        wire.on('error', () => undefined)
        resolve({ status, headers: toHeaders(headers), wire })
      },
      onResponseData(started, chunk) {
        if (wire?.push(chunk) === false) started.pause()
      },
      onResponseEnd() {
        end()
        wire?.push(null)
      },
      onResponseError(_, error) {
        fail(error)
      },
    })
  })
}

function toDispatchOptions({
  target,
  method,
  headers,
  body,
}: OutgoingRequest): Dispatcher.DispatchOptions {
  return {
    path: `${target.url.pathname}${target.url.search}`,
    method,
    headers: Object.fromEntries(headers),
    body: body ?? null,
  }
}

function toHeaders(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(given))
    for (const value of [values ?? []].flat()) headers.append(name, value)
  return headers
}
