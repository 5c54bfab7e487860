import { generateTools, parseSpec } from 'mcp-openapi'
import type { Work } from '../work.ts'

/** The work of its server before it listens. It takes the path of a document and reads the file itself. */
export function mcpOpenApi(): Work {
  return {
    takes: 'file',
    async create(file) {
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
