import { type Caller, type Outcome, toEnvelope } from '@surehand/core'
import { KEEP_ALIVE_MS, repeatEvery } from '@surehand/edge'
import type { RequestIdentity } from './authenticate-request.ts'
import { disconnectSignalOf } from './disconnect-signal.ts'
import type { HttpContext } from './http-env.ts'
import type { HttpRequest } from './http-request.ts'
import type { Surface } from './options.ts'
import { toPublicError } from './public-error.ts'
import { commandOutcome, SAFE_HEADERS } from './reply.ts'

export const EVENT_HEADERS = {
  ...SAFE_HEADERS,
  'content-type': 'text/event-stream',
  'x-accel-buffering': 'no',
} as const

export type SendEvent = (event: 'progress' | 'changed', data: unknown) => void

export type EventStreamSource = {
  /** The command in the envelope if the work throws. */
  readonly command: string
  readonly caller: Caller
  /** Ends with the outcome, if any; its signal aborts when the client has disconnected. */
  readonly work: (send: SendEvent, signal: AbortSignal) => Promise<Outcome | undefined>
  /** Whether the right still holds that the stream was opened with, beside the credential. */
  readonly isStillAllowed?: (caller: Caller) => boolean
  /** True where no call is waited for. */
  readonly onlyListens?: boolean
}

/** The request that asks for a stream. */
export type EventStreamRequest = {
  readonly request: HttpRequest
  readonly identity: Pick<RequestIdentity, 'credential' | 'currentCaller'> | undefined
  readonly disconnectSignal: AbortSignal
}

export type EventStream = {
  /** Does the work and writes its events; resolves when the stream has ended. */
  readonly run: (write: (text: string) => void) => Promise<void>
  readonly cancel: (reason: unknown) => void
}

/**
 * Counts a stream as open until it ends, and throws where too many are. It may stay open for hours;
 * it ends when its token is revoked, or its session ends, meanwhile.
 */
export function openEventStream(
  { command, caller, work, isStillAllowed, onlyListens = false }: EventStreamSource,
  { request, identity, disconnectSignal }: EventStreamRequest,
  surface: Surface,
): EventStream {
  const controller = new AbortController()
  const { signal } = controller
  const leave = surface.edge.streams.open({
    caller,
    // Streams of one credential are checked together, but not for what only some of them need.
    credential: `${identity?.credential}${isStillAllowed === undefined ? '' : ` ${command}`}`,
    async isStillAuthorized() {
      const now = await identity?.currentCaller()
      return now !== undefined && (isStillAllowed?.(now) ?? true)
    },
    end: () => controller.abort(),
    onlyListens,
  })
  signal.addEventListener('abort', leave, { once: true })
  // Not `AbortSignal.any`: what that returns stays in memory until the next full collection.
  const onDisconnect = (): void => controller.abort(disconnectSignal.reason)
  if (disconnectSignal.aborted) onDisconnect()
  else disconnectSignal.addEventListener('abort', onDisconnect, { once: true })

  function fail(thrown: unknown): Outcome {
    const error = toPublicError(thrown, request, surface)
    return commandOutcome(command, { error }, request, surface)
  }

  return {
    async run(write) {
      // A tool may still report progress after its answer.
      let isOpen = true
      const writeOpen = (text: string): void => {
        if (isOpen && !signal.aborted) write(text)
      }
      const send = (event: string, data: unknown): void =>
        writeOpen(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      const stop = repeatEvery(KEEP_ALIVE_MS, async () => writeOpen(': still here\n\n'), {
        clock: surface.clock,
        onError: (thrown) => surface.onError(thrown, 'event stream'),
      })
      const outcome = await work(send, signal).catch(fail)
      stop()
      leave()
      if (outcome !== undefined) send('envelope', toEnvelope(outcome, surface))
      isOpen = false
    },
    cancel: (reason) => controller.abort(reason),
  }
}

/**
 * News as server-sent events, and the envelope, if there is one, as the last of them: a response of
 * the Hono app.
 */
export function eventStream(
  context: HttpContext,
  source: EventStreamSource,
  surface: Surface,
): Response {
  const asked = {
    request: context.get('request'),
    identity: context.get('identity'),
    disconnectSignal: disconnectSignalOf(context),
  }
  const { run, cancel } = openEventStream(source, asked, surface)
  const encoder = new TextEncoder()
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      await run((text) => stream.enqueue(encoder.encode(text)))
      if (!isCancelled) stream.close()
    },
    cancel(reason) {
      isCancelled = true
      cancel(reason)
    },
  })
  return new Response(body, { headers: EVENT_HEADERS })
}
