import { FastMCP } from 'fastmcp'
import { fromOpenAPI } from 'fastmcp/openapi'
import type { Work } from '../work.ts'

type Added = Parameters<FastMCP['addTool']>[0]

export function fastMcp(): Work {
  return {
    takes: 'text',
    async create(text) {
      const tools: Added[] = []
      const server = new FastMCP({ name: 'bench', version: '1.0.0' })
      const add = server.addTool.bind(server)
      // It lists its tools only to connected clients, so they are recorded as they are added.
      server.addTool = ((tool: Added) => {
        tools.push(tool)
        add(tool)
      }) as typeof server.addTool
      await fromOpenAPI({ spec: JSON.parse(text), server, maxTools: 10_000 })
      return {
        tools: tools.length,
        schemaOf({ operationId }) {
          const tool = tools.find(({ name }) => name === operationId.replaceAll(/\W/g, '_'))
          return tool === undefined ? undefined : inputOf(tool)
        },
      }
    },
  }
}

// The parameters of a tool from a document implement Standard JSON Schema, which the tool's type does not declare.
type WithJsonSchema = {
  readonly '~standard': {
    readonly jsonSchema: { readonly input: (options: { target: string }) => unknown }
  }
}

function inputOf({ parameters }: Added): unknown {
  return (parameters as unknown as WithJsonSchema)['~standard'].jsonSchema.input({
    target: 'draft-2020-12',
  })
}
