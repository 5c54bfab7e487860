import { type Envelope, ToolError, type ToolErrorCode } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { EnvelopeForm, ProgressForm } from '../server-answers.ts'
import { readEvents } from './read-events.ts'

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type ServerOptions = {
  readonly url: string
  readonly token: string | undefined
  readonly fetch?: Fetch | undefined
}

export type RequestOptions = {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export type StreamOptions = {
  readonly sent: RequestOptions
  readonly onProgress: (progress: Progress) => void
}

/** A Surehand server behind its HTTP API. */
export type Server = {
  /** One request, its envelope: the answer of a call. What the server itself refuses is thrown. */
  readonly send: (method: string, path: string, sent?: RequestOptions) => Promise<Envelope>
  /** The data of a request that succeeded; a refusal is thrown. */
  readonly data: (method: string, path: string, sent?: RequestOptions) => Promise<unknown>
  /** A call with its progress, the envelope last. */
  readonly stream: (method: string, path: string, heard: StreamOptions) => Promise<Envelope>
  readonly lines: (path: string) => Promise<AsyncIterable<string>>
}

/** Node's own. */
export const nodeFetch: Fetch = (url, init) => fetch(url, init)

export function connectTo({ url, token, fetch: fetchFrom = nodeFetch }: ServerOptions): Server {
  const base = url.replace(/\/+$/, '')

  async function respond(
    method: string,
    path: string,
    { body, headers = {}, signal }: RequestOptions,
  ): Promise<Response> {
    try {
      return await fetchFrom(base + path, {
        method,
        // a redirect would carry the token to wherever it points
        redirect: 'error',
        headers: {
          accept: 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      })
    } catch (cause) {
      throw unreachable(base, cause, signal)
    }
  }

  async function send(method: string, path: string, sent: RequestOptions = {}): Promise<Envelope> {
    return requireCallEnvelope(
      await envelopeOf(await respond(method, path, sent), base, sent.signal),
    )
  }

  return {
    send,
    data: async (method, path, sent = {}) =>
      requireData(await envelopeOf(await respond(method, path, sent), base, sent.signal)),
    async stream(method, path, { sent, onProgress }) {
      const response = await respond(method, path, {
        ...sent,
        headers: { ...sent.headers, accept: 'text/event-stream' },
      })
      // refused before it began
      if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream'))
        return requireCallEnvelope(await envelopeOf(response, base, sent.signal))
      try {
        for await (const { event, data } of readEvents(bytesOf(response))) {
          if (event === 'envelope') return toEnvelope(JSON.parse(data), base)
          if (event === 'progress') onProgress(progressOf(data))
        }
      } catch (cause) {
        throw unreachable(base, cause, sent.signal)
      }
      throw unreachable(base, new Error('the answer was cut off'), sent.signal)
    },
    async lines(path) {
      const response = await respond('GET', path, {})
      if ((response.headers.get('content-type') ?? '').startsWith('application/json'))
        requireData(await envelopeOf(response, base, undefined))
      return linesOf(bytesOf(response))
    },
  }
}

function bytesOf(response: Response): AsyncIterable<Uint8Array> {
  return (response.body ?? []) as unknown as AsyncIterable<Uint8Array>
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function progressOf(data: string): Progress {
  const { fraction, message } = ProgressForm.parse(JSON.parse(data))
  return {
    ...(fraction === undefined ? {} : { fraction }),
    ...(message === undefined ? {} : { message }),
  }
}

async function envelopeOf(
  response: Response,
  base: string,
  signal: AbortSignal | undefined,
): Promise<Envelope> {
  let text: string
  try {
    text = await response.text()
  } catch (cause) {
    throw unreachable(base, cause, signal)
  }
  return toEnvelope(tryParseJson(text), base, response.status)
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toEnvelope(answer: unknown, base: string, status?: number): Envelope {
  // as it came: what was looked at is the envelope's own form
  if (EnvelopeForm.safeParse(answer).success) return answer as Envelope
  const told = status === undefined ? '' : ` with status ${status}`
  throw new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${base} answered${told}, but not as a Surehand server does.`,
  )
}

// a surface's own refusal is no answer of a tool: no call was made, and its id is nobody's
function requireCallEnvelope(envelope: Envelope): Envelope {
  if (envelope.metadata.tool_info.category === 'surface') requireData(envelope)
  return envelope
}

/** What a request that is no call brought back. */
function requireData({ error, data }: Envelope): unknown {
  if (error === undefined) return data
  throw new ToolError(error.code as ToolErrorCode, error.message, {
    details: (error.details ?? {}) as Readonly<Record<string, unknown>>,
    ...(error.recovery_suggestions === undefined
      ? {}
      : { suggestions: error.recovery_suggestions }),
  })
}

function unreachable(base: string, cause: unknown, signal: AbortSignal | undefined): ToolError {
  if (signal?.aborted)
    return new ToolError(
      'TOOL_CANCELLED',
      'Cancelled here; the server hears it by the closed connection.',
      {
        cause,
        details: { source_code: 'left' },
      },
    )
  const why =
    cause instanceof Error
      ? cause.cause instanceof Error
        ? cause.cause.message
        : cause.message
      : String(cause)
  return new ToolError('TOOL_NETWORK_ERROR', `${base} cannot be reached: ${why}.`, { cause })
}
