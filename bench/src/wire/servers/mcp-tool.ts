import { McpServer } from '@modelcontextprotocol/server'
import { addToCart, cartInput, cartOutput, TOOL_DESCRIPTION } from '../../core/tool.ts'
import { READ_TOOL } from '../protocols.ts'

/** The official SDK's server with the one tool. */
export function mcpServer(): McpServer {
  const server = new McpServer({ name: 'shop', version: '1.0.0' })
  server.registerTool(
    READ_TOOL,
    { description: TOOL_DESCRIPTION, inputSchema: cartInput, outputSchema: cartOutput },
    async (input) => {
      const output = await addToCart(input)
      return {
        content: [{ type: 'text', text: JSON.stringify(output) }],
        structuredContent: output,
      }
    },
  )
  return server
}
