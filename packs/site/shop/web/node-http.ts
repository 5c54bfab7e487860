import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../refusal.ts'

const MAX_BODY_BYTES = 2 * 1024 * 1024

/** The web's request for one of node:http; its body has arrived whole. */
export async function readRequest(incoming: IncomingMessage, url: URL): Promise<Request> {
  const method = incoming.method ?? 'GET'
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers })
  const body = await readBytes(incoming)
  return new Request(url, { method, headers, body: body.length === 0 ? null : body })
}

async function readBytes(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES)
      throw new Refusal('too_large', 'A request may have 2 MB. Send a smaller file.')
    chunks.push(chunk)
  }
  return Uint8Array.from(Buffer.concat(chunks))
}

export async function sendResponse(
  outgoing: ServerResponse,
  response: Response,
  method: string,
): Promise<void> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.writeHead(response.status, { ...headers, 'content-length': body.length })
  outgoing.end(method === 'HEAD' ? undefined : body)
}
