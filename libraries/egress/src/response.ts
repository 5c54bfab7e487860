import { ToolError } from '@surehand/core'

/**
 * A response whose body is still arriving. It holds a connection until it was read or discarded, or
 * the total time limit is reached.
 */
export type EgressResponseStream = {
  readonly status: number
  /** Without `content-encoding` and `content-length` where the body was decompressed. */
  readonly headers: Headers
  /** The URL after all redirects. */
  readonly url: string
  readonly body: AsyncIterable<Uint8Array>
  /** Frees the connection without reading the rest of the body. */
  readonly discard: () => void
}

export type EgressResponse = Omit<EgressResponseStream, 'body' | 'discard'> & {
  readonly bytes: Uint8Array
  /** Decoded with the charset that the response names, otherwise as UTF-8. */
  readonly text: () => string
  readonly json: () => unknown
}

/** Reads the whole body. */
export async function readResponse({
  status,
  headers,
  url,
  body,
}: EgressResponseStream): Promise<EgressResponse> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return createResponse({ status, headers, url, bytes: Buffer.concat(chunks) })
}

/** Adds the `text` and `json` functions to a response. */
export function createResponse(
  facts: Pick<EgressResponse, 'status' | 'headers' | 'url' | 'bytes'>,
): EgressResponse {
  const text = () => createDecoder(facts.headers).decode(facts.bytes)
  return { ...facts, text, json: () => parseJsonBody(text(), facts.url) }
}

function createDecoder(headers: Headers): InstanceType<typeof TextDecoder> {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers.get('content-type') ?? '')?.[1]
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder() // The charset is unknown.
  }
}

function parseJsonBody(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without its cause, which quotes the response.
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `${new URL(url).host} did not answer with JSON.`,
      { effect: 'possible' },
    )
  }
}
