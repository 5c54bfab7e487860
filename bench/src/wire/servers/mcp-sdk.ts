import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { StartServer } from '../contenders.ts'
import { mcpServer } from './mcp-tool.ts'
import { serve } from './serve.ts'

type Exchange = [request: IncomingMessage, response: ServerResponse]

export const startMcpSdk: StartServer = async () => {
  // The handler's type requires `method` to be set, which it is in every request that a server receives.
  const handle = toNodeHandler(createMcpHandler(mcpServer, { legacy: 'reject' })) as (
    ...exchange: Exchange
  ) => Promise<void>
  return { port: await serve(() => (request, response) => void handle(request, response)) }
}
