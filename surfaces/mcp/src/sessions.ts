import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { type AuthInfo, isInitializeRequest, type McpServer } from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'

export type Authenticated = IncomingMessage & { auth?: AuthInfo }

type Session = {
  readonly server: McpServer
  readonly transport: NodeStreamableHTTPServerTransport
  readonly owner: string
}

/** The sessions of 2025 clients, which live in this process. */
export type Sessions = {
  readonly serve: (
    request: Authenticated,
    response: ServerResponse,
    caller: Caller,
    body: unknown,
  ) => Promise<void>
  readonly toolsChanged: () => void
  readonly close: () => Promise<void>
}

export function createSessions(openServer: () => McpServer, maxSessions: number): Sessions {
  // in the order of their last use: the first is the one that was silent longest
  const sessions = new Map<string, Session>()

  async function open(owner: string): Promise<Session> {
    const server = openServer()
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, session)
        makeRoom()
      },
      onsessionclosed: (id) => {
        sessions.delete(id)
      },
    })
    const session = { server, transport, owner }
    await server.connect(transport)
    return session
  }

  function makeRoom(): void {
    for (const [id, { server }] of sessions) {
      if (sessions.size <= maxSessions) return
      sessions.delete(id)
      void server.close()
    }
  }

  function find(id: string, owner: string): Session | undefined {
    const session = sessions.get(id)
    // a session id is no credential: whose it isn't, for them it isn't there
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
      ? 'There is no such session: initialize again.'
      : 'A session is opened with initialize.'
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }))
}
