import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { type Start, subject } from '../../harness/contender.ts'
import { addToCart, cartInput, cartOutput, TOOL_DESCRIPTION, TOOL_NAME } from '../tool.ts'
import { structuredContent } from './structured-content.ts'

export const mcpV1: Start = async () => {
  const server = new McpServer({ name: 'shop', version: '1.0.0' })
  server.registerTool(
    TOOL_NAME,
    { description: TOOL_DESCRIPTION, inputSchema: cartInput, outputSchema: cartOutput },
    async (input) => {
      const output = await addToCart(input)
      return {
        content: [{ type: 'text', text: JSON.stringify(output) }],
        structuredContent: output,
      }
    },
  )
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(serverSide), client.connect(clientSide)])
  // The client reads the output schema from the list and validates answers with it.
  await client.listTools()
  return subject({
    payload: (input) => ({ name: TOOL_NAME, arguments: input as Record<string, unknown> }),
    call: (params) => client.callTool(params),
    output: structuredContent,
  })
}
