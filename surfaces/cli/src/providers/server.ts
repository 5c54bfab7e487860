import { type Envelope, ToolError, type ToolErrorCode } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { EnvelopeSchema, ProgressSchema } from '@surehand/edge/api'

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
  /**
   * Sends one request and returns the envelope of a call. A refusal by the server itself is thrown.
   */
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
        // A redirect would carry the token to another origin.
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
      // The call was refused before the stream began.
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
      throw unreachable(
        base,
        new Error('the connection closed before the answer was complete'),
        sent.signal,
      )
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

type ServerEvent = { readonly event: string; readonly data: string }

const MAX_EVENT_CHARACTERS = 64 * 1024 * 1024

/** Reads server-sent events as they arrive. */
async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of bytes) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    if (rest.length > MAX_EVENT_CHARACTERS)
      throw new RangeError('an event of the answer is too long')
    for (const block of blocks) yield eventOf(block)
  }
}

function eventOf(block: string): ServerEvent {
  const lines = block.split(/\r?\n/)
  const fields = (name: string): readonly string[] =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  return { event: fields('event').at(-1) ?? 'message', data: fields('data').join('\n') }
}

function progressOf(data: string): Progress {
  const { fraction, message } = ProgressSchema.parse(JSON.parse(data))
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

/** Suggestions name the server's paths; the user of a command has the command for them. */
function withOwnCommands(envelope: Envelope): Envelope {
  const { error } = envelope
  if (error?.recovery_suggestions === undefined) return envelope
  const suggestions = error.recovery_suggestions.map((suggestion) =>
    suggestion.replace(/\bGET \/v1\/calls\/(\w+)/, 'surehand jobs show $1'),
  )
  return { ...envelope, error: { ...error, recovery_suggestions: suggestions } }
}

function toEnvelope(answer: unknown, base: string, status?: number): Envelope {
  // The answer itself is returned, not a parsed copy: zod would change the order of its keys.
  if (EnvelopeSchema.safeParse(answer).success) return withOwnCommands(answer as Envelope)
  const withStatus = status === undefined ? '' : ` with status ${status}`
  throw new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${base} answered${withStatus}, but not with a Surehand envelope.`,
  )
}

// A refusal by the surface is not the answer of a tool: no call was made, so there is no call id to
// show.
function requireCallEnvelope(envelope: Envelope): Envelope {
  if (envelope.metadata.tool_info.category === 'surface') requireData(envelope)
  return envelope
}

/** The data of an envelope; its error is thrown. */
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
      'Cancelled here; the server notices the closed connection.',
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
