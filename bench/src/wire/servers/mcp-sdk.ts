import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { StartServer } from '../contenders.ts'
import { mcpServer } from './mcp-tool.ts'
import { serve } from './serve.ts'

type Exchange = [request: IncomingMessage, response: ServerResponse]

export const startMcpSdk: StartServer = async () => {
  // its type wants a request that has a method for sure, as every request of a server has
  const handle = toNodeHandler(createMcpHandler(mcpServer, { legacy: 'reject' })) as (
    ...exchange: Exchange
  ) => Promise<void>
  return { port: await serve(() => (request, response) => void handle(request, response)) }
}
