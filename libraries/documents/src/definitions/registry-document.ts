import type { Runtime } from '@surehand/core'
import { categoryInfo } from './categories.ts'
import { permissionSchemeDocument } from './permission-scheme.ts'
import { toDefinition } from './to-definition.ts'
import type { ToolRegistryDocument } from './tool-definition.ts'

const FORMAT_VERSION = '2.0.0'

/** Everything that a runtime publishes to all tenants, as document 004's registry. */
export function registryDocument({
  registry: { shared, scheme },
}: Pick<Runtime, 'registry'>): ToolRegistryDocument {
  const tools = shared.list()
  return {
    version: FORMAT_VERSION,
    last_updated: new Date(shared.changedAt()).toISOString(),
    tools: Object.fromEntries(
      tools.map((tool) => [
        tool.id,
        toDefinition(tool, shared.registeredAt(tool), shared.deprecation(tool.id)),
      ]),
    ),
    categories: categoryInfo(tools),
    permissions: permissionSchemeDocument(scheme),
  }
}
