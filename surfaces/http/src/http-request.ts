import { isToolError } from '@surehand/core'
import { bodyTooLarge, type EdgeRequest, edgeError } from '@surehand/edge'
import type { HttpContext } from './http-env.ts'
import type { Surface } from './options.ts'

/**
 * One request of this surface, whichever of its three entry points received it: the fast path,
 * Node's server, the Hono app.
 */
export type HttpRequest = EdgeRequest & {
  readonly startedTicks: number
  readonly requestId: () => string
}

export function toHttpRequest(request: EdgeRequest, surface: Surface): HttpRequest {
  return {
    ...request,
    startedTicks: surface.clock.ticks(),
    requestId: lazyRequestId(surface),
  }
}

/** A request that the Hono app received. */
export function fromContext({ req, env }: HttpContext, surface: Surface): HttpRequest {
  const { raw } = req
  return toHttpRequest(
    {
      header: (name) => raw.headers.get(name) ?? undefined,
      rawHeaders: env?.incoming?.rawHeaders,
      peerAddress: () => env?.incoming?.socket.remoteAddress,
      readBytes: (maxBytes) => readWebBody(raw, maxBytes),
    },
    surface,
  )
}

// Created when it is first needed: most responses carry the id of a call instead.
function lazyRequestId({ entropy, clock }: Surface): () => string {
  let id: string | undefined
  return () => {
    id ??= entropy.newId('req', clock.now())
    return id
  }
}

async function readWebBody(request: Request, maxBytes: number): Promise<Buffer> {
  try {
    return await collectBody(request, maxBytes)
  } catch (thrown) {
    if (isToolError(thrown)) throw thrown
    throw edgeError('malformed', 'The client has disconnected.')
  }
}

async function collectBody(request: Request, maxBytes: number): Promise<Buffer> {
  // With a Content-Length, which was checked before, Node itself reads no more than that.
  if (request.headers.has('content-length') && !request.headers.has('transfer-encoding'))
    return Buffer.from(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw bodyTooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
