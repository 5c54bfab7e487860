import { Readable } from 'node:stream'
import type { Clock } from '@surehand/core/ports'
import type { Dispatcher } from 'undici'
import { late } from './patience.ts'
import type { Outgoing } from './request.ts'

/** An answer whose body is still on the wire, as it was packed. */
export type Head = { readonly status: number; readonly headers: Headers; readonly wire: Readable }

export type Sending = {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly headersMs: number
  /** Said just before the first byte is written: from here on nobody can know that nothing happened. */
  readonly onLeave: () => void
}

const MAX_INFORMATIONAL = 16

/** Sends one request and gives the answer's head as soon as it is there. Halting ends the body too. */
export function send(
  pool: Dispatcher,
  outgoing: Outgoing,
  { clock, signal, headersMs, onLeave }: Sending,
): Promise<Head> {
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

    pool.dispatch(dispatched(outgoing), {
      onRequestStart(started) {
        // one that was given up while it waited for a connection is still in the queue
        if (signal.aborted) return started.abort(signal.reason)
        controller = started
        onLeave()
        cancelLimit = clock.after(headersMs, () => fail(late('did not answer', headersMs)))
      },
      onResponseStart(_, status, headers) {
        if (status < 200) {
          informational++
          if (informational > MAX_INFORMATIONAL)
            fail(
              Object.assign(new Error('Too many interim answers.'), { code: 'TOO_MANY_INTERIM' }),
            )
          return
        }
        cancelLimit()
        wire = new Readable({
          read: () => controller?.resume(),
          destroy(error, done) {
            end()
            controller?.abort(error ?? new Error('The rest is not wanted.'))
            done(error)
          },
        })
        // whoever reads it is told; an error that nobody hears ends the process
        wire.on('error', () => undefined)
        resolve({ status, headers: headersOf(headers), wire })
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

function dispatched({ target, method, headers, body }: Outgoing): Dispatcher.DispatchOptions {
  return {
    path: `${target.url.pathname}${target.url.search}`,
    method,
    headers: Object.fromEntries(headers),
    body: body ?? null,
  }
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(given))
    for (const value of [values ?? []].flat()) headers.append(name, value)
  return headers
}
