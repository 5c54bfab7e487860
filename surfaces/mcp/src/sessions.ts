import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { type AuthInfo, isInitializeRequest, type McpServer } from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'

export type AuthenticatedMessage = IncomingMessage & { auth?: AuthInfo }

type Session = {
  readonly server: McpServer
  readonly transport: NodeStreamableHTTPServerTransport
  readonly owner: string
}

/** The sessions of 2025 clients, in the memory of this process. */
export type Sessions = {
  readonly serve: (
    request: AuthenticatedMessage,
    response: ServerResponse,
    caller: Caller,
    body: unknown,
  ) => Promise<void>
  readonly toolsChanged: () => void
  readonly close: () => Promise<void>
}

export function createSessions(openServer: () => McpServer, maxSessions: number): Sessions {
  // In the order of last use: the first entry is the least recently used session.
  const sessions = new Map<string, Session>()

  async function open(owner: string): Promise<Session> {
    const server = openServer()
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, session)
        evictSessions()
      },
      onsessionclosed: (id) => {
        sessions.delete(id)
      },
    })
    const session = { server, transport, owner }
    await server.connect(transport)
    return session
  }

  function evictSessions(): void {
    for (const [id, { server }] of sessions) {
      if (sessions.size <= maxSessions) return
      sessions.delete(id)
      void server.close()
    }
  }

  function find(id: string, owner: string): Session | undefined {
    const session = sessions.get(id)
    // A session id is not a credential: for another principal the session does not exist.
    if (session === undefined || session.owner !== owner) return undefined
    sessions.delete(id)
    sessions.set(id, session)
    return session
  }

  return {
    async serve(request, response, caller, body) {
      const id = request.headers['mcp-session-id']
      const owner = JSON.stringify([caller.tenant, caller.principal])
      const isOpening = id === undefined && isInitializeRequest(body)
      const session = isOpening ? await open(owner) : find(String(id), owner)
      if (session === undefined) return refuse(response, id === undefined ? 400 : 404)
      await session.transport.handleRequest(request, response, body)
    },
    toolsChanged() {
      for (const { server } of sessions.values()) server.sendToolListChanged()
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ server }) => server.close()))
      sessions.clear()
    },
  }
}

function refuse(response: ServerResponse, status: 400 | 404): void {
  const message =
    status === 404
      ? 'There is no such session. Send initialize again.'
      : 'Send initialize first to open a session.'
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }))
}
