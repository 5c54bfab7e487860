const MOST_BYTES = 65_536

/**
 * An answer whose connection is free: of a long body, and of one that breaks off, the beginning. For refusals, which are told or thrown away
 * later on; meanwhile nobody reads them.
 */
export async function shortened(answer: Response): Promise<Response> {
  if (answer.body === null) return answer
  const { status, headers, url, redirected } = answer
  const response = new Response(await beginningOf(answer.body), {
    status,
    headers: withoutLength(headers),
  })
  // what the constructor can't be told
  return Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirected },
  })
}

async function beginningOf(body: ReadableStream<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      // leaving cancels the rest
      if (bytes > MOST_BYTES) break
    }
  } catch {
    // its status has said what it had to say
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES)
}

function withoutLength(given: Headers): Headers {
  const headers = new Headers(given)
  headers.delete('content-length')
  return headers
}
