import { generateTools, parseSpec } from 'mcp-openapi'
import type { Work } from '../work.ts'

/** What its server does before it listens; it takes the place of a document and reads it by itself. */
export function mcpOpenApi(): Work {
  return {
    takes: 'file',
    async make(file) {
      const tools = generateTools(await parseSpec(file))
      return {
        tools: tools.length,
        schemaOf: ({ key }) =>
          tools.find(({ endpointRef }) => `${endpointRef.method} ${endpointRef.path}` === key)
            ?.inputSchema,
      }
    },
  }
}
