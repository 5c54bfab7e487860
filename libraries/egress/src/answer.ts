import { ToolError } from '@surehand/core'

/** An answer whose body still comes. It holds a connection until it was read, discarded, or the time for all of it is up. */
export type EgressStream = {
  readonly status: number
  /** Without `content-encoding` and `content-length` where the body was unpacked. */
  readonly headers: Headers
  /** Where it came from in the end. */
  readonly url: string
  readonly body: AsyncIterable<Uint8Array>
  /** The body is not wanted. */
  readonly discard: () => void
}

export type EgressAnswer = Omit<EgressStream, 'body' | 'discard'> & {
  readonly bytes: Uint8Array
  /** In the charset it names, else UTF-8. */
  readonly text: () => string
  readonly json: () => unknown
}

/** Reads an answer to its end. */
export async function wholeAnswer({
  status,
  headers,
  url,
  body,
}: EgressStream): Promise<EgressAnswer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return answerOf({ status, headers, url, bytes: Buffer.concat(chunks) })
}

/** An answer with its two readings. */
export function answerOf(
  facts: Pick<EgressAnswer, 'status' | 'headers' | 'url' | 'bytes'>,
): EgressAnswer {
  const text = () => decoderOf(facts.headers).decode(facts.bytes)
  return { ...facts, text, json: () => parsed(text(), facts.url) }
}

function decoderOf(headers: Headers): InstanceType<typeof TextDecoder> {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers.get('content-type') ?? '')?.[1]
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder() // a charset that nobody knows
  }
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // without its cause: that quotes the answer
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `${new URL(url).host} did not answer in JSON.`,
      { effect: 'possible' },
    )
  }
}
