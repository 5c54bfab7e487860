import type { Scrubber } from './scrubber.ts'

// Binary bodies are streamed unread: a video does not fit into memory, and no secret is written
// into one as text.
const BINARY =
  /^(?:(?:image|audio|video|font)\/(?!.*\+xml)|application\/(?:octet-stream|pdf|zip|gzip|zstd|wasm)\b)/i

/**
 * Removes credentials that the provider repeats in its response. Text bodies are read whole for
 * that, up to egress's limit.
 */
export async function scrubResponse(answer: Response, scrubber: Scrubber): Promise<Response> {
  const headers = new Headers()
  // A header whose name contains a secret is dropped: the scrubbed name would be invalid.
  for (const [name, value] of answer.headers)
    if (scrubber.text(name) === name) headers.append(name, scrubber.text(value))
  if (answer.body === null || BINARY.test(headers.get('content-type') ?? ''))
    return withBody(answer, answer.body, { headers, scrubber })
  const body = new Uint8Array(await answer.arrayBuffer())
  const clean = scrubber.answer({ status: answer.status, headers: {}, body, isCut: false }).body
  if (clean.length !== body.length) headers.delete('content-length')
  return withBody(answer, Buffer.from(clean), { headers, scrubber })
}

type Clean = { readonly headers: Headers; readonly scrubber: Scrubber }

function withBody(
  answer: Response,
  body: Response['body'] | Buffer<ArrayBuffer>,
  { headers, scrubber }: Clean,
): Response {
  const { status, statusText, url, redirected } = answer
  const response = new Response(body, { status, statusText: scrubber.text(statusText), headers })
  // The constructor of `Response` cannot set these.
  return Object.defineProperties(response, {
    url: { value: scrubber.text(url) },
    redirected: { value: redirected },
  })
}
