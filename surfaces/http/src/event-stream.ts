import { type Caller, type Outcome, toEnvelope } from '@surehand/core'
import { KEEP_ALIVE_MS, repeatEvery } from '@surehand/edge'
import { disconnectSignalOf } from './disconnect-signal.ts'
import type { HttpContext } from './http-env.ts'
import type { Surface } from './options.ts'
import { toPublicError } from './public-error.ts'
import { commandOutcome, SAFE_HEADERS } from './reply.ts'

const HEADERS = { ...SAFE_HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }

export type SendEvent = (event: 'progress' | 'changed', data: unknown) => void

export type EventStreamSource = {
  /** The command in the envelope if the work throws. */
  readonly command: string
  readonly caller: Caller
  /** Ends with the outcome, if any; its signal aborts when the client has disconnected. */
  readonly work: (send: SendEvent, signal: AbortSignal) => Promise<Outcome | undefined>
  /** Whether the right still holds that the stream was opened with, beside the credential. */
  readonly isStillAllowed?: (caller: Caller) => boolean
}

/**
 * News as server-sent events, and the envelope, if there is one, as the last of them. The stream may stay open for
 * hours; it ends when its token is revoked, or its session ends, meanwhile.
 */
export function eventStream(
  context: HttpContext,
  { command, caller, work, isStillAllowed }: EventStreamSource,
  surface: Surface,
): Response {
  const controller = new AbortController()
  const signal = AbortSignal.any([disconnectSignalOf(context), controller.signal])
  const encoder = new TextEncoder()
  const request = context.get('request')
  const identity = context.get('identity')
  const leave = surface.edge.streams.open({
    caller,
    // Streams of one credential are checked together, but not for what only some of them need.
    credential: `${identity?.credential}${isStillAllowed === undefined ? '' : ` ${command}`}`,
    async isStillAuthorized() {
      const now = await identity?.currentCaller()
      return now !== undefined && (isStillAllowed?.(now) ?? true)
    },
    end: () => controller.abort(),
  })
  signal.addEventListener('abort', leave, { once: true })
  // A tool may still report progress after its answer.
  let isOpen = true

  async function start(stream: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const write = (text: string): void => {
      if (isOpen && !signal.aborted) stream.enqueue(encoder.encode(text))
    }
    const send = (event: string, data: unknown): void =>
      write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    const stop = repeatEvery(KEEP_ALIVE_MS, async () => write(': still here\n\n'), {
      clock: surface.clock,
      onError: (thrown) => surface.onError(thrown, 'event stream'),
    })
    const outcome = await work(send, signal).catch(fail)
    stop()
    leave()
    if (outcome !== undefined) send('envelope', toEnvelope(outcome, surface))
    if (isOpen) stream.close()
    isOpen = false
  }

  function fail(thrown: unknown): Outcome {
    const error = toPublicError(thrown, request, surface)
    return commandOutcome(command, { error }, request, surface)
  }

  const body = new ReadableStream<Uint8Array>({
    start,
    cancel(reason) {
      isOpen = false
      controller.abort(reason)
    },
  })
  return new Response(body, { headers: HEADERS })
}
