import type { Scrubber } from './scrubber.ts'

// what nobody reads as a text goes on as it comes: whoever asks for a film does not want it in memory
const BINARY =
  /^(?:(?:image|audio|video|font)\/(?!.*\+xml)|application\/(?:octet-stream|pdf|zip|gzip|zstd|wasm)\b)/i

/** An answer without what was put into its request, should the provider repeat it. Texts are read whole for that, as far as egress lets them. */
export async function scrubResponse(answer: Response, scrubber: Scrubber): Promise<Response> {
  const headers = new Headers()
  // a name with a secret in it would be none without
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
  // what the constructor can't be told
  return Object.defineProperties(response, {
    url: { value: scrubber.text(url) },
    redirected: { value: redirected },
  })
}
