import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { FastMCP } from 'fastmcp'
import { type Start, subject } from '../../harness/contender.ts'
import { addToCart, cartInput, cartOutput, TOOL_DESCRIPTION, TOOL_NAME } from '../tool.ts'
import { structuredContent } from './structured-content.ts'

export const fastMcp: Start = async () => {
  const server = new FastMCP({ name: 'shop', version: '1.0.0' })
  server.addTool({
    name: TOOL_NAME,
    description: TOOL_DESCRIPTION,
    parameters: cartInput,
    outputSchema: cartOutput,
    execute: (input) => addToCart(input),
  })
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(serverSide), client.connect(clientSide)])
  await client.listTools()
  return subject({
    payload: (input) => ({ name: TOOL_NAME, arguments: input as Record<string, unknown> }),
    call: (params) => client.callTool(params),
    output: structuredContent,
  })
}
