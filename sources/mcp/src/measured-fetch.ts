import type { FetchLike } from '@modelcontextprotocol/client'
import { ToolError } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'

export type WatchOptions = {
  /** For a whole answer, or for one event of a stream. */
  readonly maxBytes: number
  /** The stream for this request has ended. Only the SDK knows whether it contained the answer. */
  readonly onEnd: (id: number, how: 'ended' | 'too large') => void
}

const NEWLINE = 10
const RETURN = 13

/** A fetch that limits the size of answers while they are read. The SDK itself has no limit. */
export function measuredFetch(send: FetchLike, options: WatchOptions): FetchLike {
  return async (url, init) => {
    const response = await send(url, init)
    if (response.body === null) return response
    const isStream =
      response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false
    const id = isStream ? requestId(init?.body) : undefined
    const meter = new Meter(options.maxBytes, isStream ? 'event' : 'answer')
    const body = measureBody(response.body, meter, (how) => {
      // The SDK resumes a stream that has event ids.
      if (id !== undefined && (how === 'too large' || !meter.hasIds)) options.onEnd(id, how)
    })
    return new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }
}

function measureBody(
  body: ReadableStream<Uint8Array>,
  meter: Meter,
  onEnd: (how: 'ended' | 'too large') => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          onEnd('ended')
          return controller.close()
        }
        if (meter.add(value)) return controller.enqueue(value)
      } catch (error) {
        onEnd('ended')
        return controller.error(error)
      }
      onEnd('too large')
      controller.error(
        new ToolError(
          'TOOL_INVALID_OUTPUT',
          `The server answered with more than ${meter.maxBytes} bytes.`,
          { effect: 'possible' },
        ),
      )
      await reader.cancel()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Counts the bytes of an answer, or of an event, which ends with an empty line. */
class Meter {
  readonly maxBytes: number
  hasIds = false
  private readonly of: 'answer' | 'event'
  private bytes = 0
  private lineStart = ''
  private lineLength = 0

  constructor(maxBytes: number, of: 'answer' | 'event') {
    this.maxBytes = maxBytes
    this.of = of
  }

  /** Whether the size is still within the limit. */
  add(chunk: Uint8Array): boolean {
    if (this.of === 'answer') {
      this.bytes += chunk.length
      return this.bytes <= this.maxBytes
    }
    for (const byte of chunk) if (!this.addByte(byte)) return false
    return true
  }

  private addByte(byte: number): boolean {
    this.bytes++
    if (byte === NEWLINE) {
      if (this.lineLength === 0) this.bytes = 0
      if (this.lineStart === 'id:') this.hasIds = true
      this.lineStart = ''
      this.lineLength = 0
    } else if (byte !== RETURN) {
      if (this.lineLength < 3) this.lineStart += String.fromCharCode(byte)
      this.lineLength++
    }
    return this.bytes <= this.maxBytes
  }
}

function requestId(body: unknown): number | undefined {
  if (typeof body !== 'string') return undefined
  const message: unknown = JSON.parse(body)
  return isRecord(message) && typeof message.id === 'number' && typeof message.method === 'string'
    ? message.id
    : undefined
}
