import * as published from '@ivotoby/openapi-mcp-server'
import type { Named } from '../documents.ts'
import type { Work } from '../work.ts'

type Manager = {
  readonly initialize: () => Promise<void>
  readonly getToolsWithIds: () => [id: string, tool: { readonly inputSchema: unknown }][]
}

// erased: its declarations re-export files without their endings, which TypeScript does not follow for ES modules
const { ToolsManager } = published as unknown as {
  readonly ToolsManager: new (config: object) => Manager
}

/** What its server does before it listens. */
export function ivotoby(): Work {
  return {
    takes: 'text',
    async make(text) {
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
      return { tools: tools.size, schemaOf: (named) => tools.get(idOf(named))?.inputSchema }
    },
  }
}

// its ids: GET::repos__---owner__---repo__issues
function idOf({ key }: Named): string {
  const [method, path = ''] = key.split(' ')
  return `${method}::${path
    .slice(1)
    .replaceAll('/', '__')
    .replaceAll(/\{([^}]+)\}/g, '---$1')}`
}
