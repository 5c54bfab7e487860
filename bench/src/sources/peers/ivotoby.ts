import * as published from '@ivotoby/openapi-mcp-server'
import type { SampleOperation } from '../documents.ts'
import type { Work } from '../work.ts'

type Manager = {
  readonly initialize: () => Promise<void>
  readonly getToolsWithIds: () => [id: string, tool: { readonly inputSchema: unknown }][]
}

// Its type declarations re-export files without extensions, which TypeScript does not resolve for ES modules.
const { ToolsManager } = published as unknown as {
  readonly ToolsManager: new (config: object) => Manager
}

/** The work of its server before it listens. */
export function ivotoby(): Work {
  return {
    takes: 'text',
    async create(text) {
      const manager = new ToolsManager({
        name: 'bench',
        version: '1.0.0',
        apiBaseUrl: 'https://api.example.com',
        openApiSpec: 'inline',
        specInputMethod: 'inline',
        inlineSpecContent: text,
        transportType: 'stdio',
        toolsMode: 'all',
        verbose: false,
      })
      await manager.initialize()
      const tools = new Map(manager.getToolsWithIds())
      return { tools: tools.size, schemaOf: (sample) => tools.get(idOf(sample))?.inputSchema }
    },
  }
}

// Its ids look like GET::repos__---owner__---repo__issues
function idOf({ key }: SampleOperation): string {
  const [method, path = ''] = key.split(' ')
  return `${method}::${path
    .slice(1)
    .replaceAll('/', '__')
    .replaceAll(/\{([^}]+)\}/g, '---$1')}`
}
