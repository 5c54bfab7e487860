import { getToolsFromOpenApi } from 'openapi-mcp-generator'
import type { Work } from '../work.ts'

/** Dereferenced, as its own command does; otherwise references stay unresolved in its tools. */
export function openApiMcpGenerator(): Work {
  return {
    takes: 'text',
    async create(text) {
      const tools = await getToolsFromOpenApi(JSON.parse(text), { dereference: true })
      return {
        tools: tools.length,
        schemaOf: ({ operationId }) =>
          tools.find((tool) => tool.operationId === operationId)?.inputSchema,
      }
    },
  }
}
