import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  type AuthInfo,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { isRecord } from '@surehand/core/internal'

export type AuthenticatedMessage = IncomingMessage & { auth?: AuthInfo }

/** The SDK's server and transport of one session. */
export type SdkSession = {
  readonly server: McpServer
  readonly serve: (
    request: AuthenticatedMessage,
    response: ServerResponse,
    body: unknown,
  ) => Promise<void>
  /** Hands it a message that no request of the client carries; returns what it answers. */
  readonly deliver: (message: object) => Promise<string>
}

export type SdkSessionOptions = {
  readonly id: string
  /** Called when the client has ended the session. */
  readonly onEnded: () => void
}

export async function openSdkSession(
  server: McpServer,
  { id, onEnded }: SdkSessionOptions,
): Promise<SdkSession> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessionclosed: onEnded,
  })
  await server.connect(transport)
  return {
    server,
    serve: serveThrough(transport),
    async deliver(message) {
      const headers = {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        // Only `initialize` is a request here, and it is sent without the id of the session.
        ...('id' in message ? {} : { 'mcp-session-id': id }),
      }
      const request = new Request('http://127.0.0.1/', { method: 'POST', headers })
      const response = await transport.handleRequest(request, { parsedBody: message })
      // Read to its end even where nobody needs it: that frees the stream.
      return response.text()
    },
  }
}

function serveThrough(transport: WebStandardStreamableHTTPServerTransport): SdkSession['serve'] {
  return (request, response, body) => {
    const handle = toNodeHandler({
      fetch: (received, options) =>
        transport.handleRequest(
          received,
          body === undefined ? options : { ...options, parsedBody: body },
        ),
      // The cast is safe: the adapter only declares less of a request than Node does.
    }) as SdkSession['serve']
    return handle(request, response, body === undefined ? undefined : withoutParams(body))
  }
}

// The adapter writes the body as text again, which nothing reads: of a megabyte, this takes 10 ms.
function withoutParams(body: unknown): unknown {
  if (!isRecord(body)) return {}
  const { method, id } = body
  return { method, id }
}
