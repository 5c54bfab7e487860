import type { Runtime, Tool } from '@surehand/core'
import type { Deprecation } from '@surehand/core/host'
import { type DefinitionParts, toolFromDefinition } from './from-definition.ts'
import type { ToolDefinition } from './tool-definition.ts'

/** A change of the registry as data, so that it can be stored and made again after a restart. */
export type RegistryChange =
  | { readonly kind: 'definition'; readonly definition: ToolDefinition }
  /** Other words for a tool that is defined in code. */
  | {
      readonly kind: 'words'
      readonly toolId: string
      readonly from: string
      readonly updates: Partial<ToolDefinition>
    }
  | { readonly kind: 'deprecation'; readonly deprecation: Deprecation }

/** Makes a stored change again. What the registry has already stays as it is. */
export function restoreTool(
  { registry: { shared } }: Pick<Runtime, 'registry'>,
  change: RegistryChange,
  definitions: DefinitionParts | undefined,
): void {
  if (change.kind === 'deprecation') {
    shared.deprecate(change.deprecation)
    return
  }
  const tool =
    change.kind === 'definition'
      ? toolFromDefinition(change.definition, requireDefinitions(definitions))
      : rewordStored(change, shared.find(`${change.toolId}@${change.from}`))
  if (shared.versions(tool.id).some(({ version }) => version === tool.version)) return
  shared.add(tool)
}

function rewordStored(
  { toolId, from, updates }: Extract<RegistryChange, { kind: 'words' }>,
  tool: Tool | undefined,
): Tool {
  if (tool === undefined)
    throw new TypeError(`${toolId}@${from} does not exist any more: its new words are not used.`)
  return rewordTool(tool, updates)
}

export function requireDefinitions(definitions: DefinitionParts | undefined): DefinitionParts {
  if (definitions === undefined)
    throw new TypeError(
      'Definitions cannot be registered here: pass manageTools a schema compiler and implementations (in the server: "implementations" in surehand.config.ts).',
    )
  return definitions
}

const WORDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'detailed_description',
  'author',
  'version',
  'updated_at',
])

/**
 * A tool that is defined in code, with another title, description or author. Everything else, above
 * all its contract, changes in the code: a definition has no fields for approvals and gates, so
 * taking the contract from it would loosen it.
 */
export function rewordTool(tool: Tool, updates: Partial<ToolDefinition>): Tool {
  const other = Object.keys(updates).filter((field) => !WORDS.has(field))
  if (other.length > 0)
    throw new TypeError(`${tool.id} is defined in code: change ${other.join(', ')} there.`)
  const field = (value: string | undefined): PropertyDescriptor => ({ value, enumerable: true })
  // inherits from the tool: a copy would lose the getters of a foreign tool, which create its parts
  // on first use
  return Object.freeze(
    Object.create(tool, {
      title: field(updates.name ?? tool.title),
      description: field(updates.description ?? tool.description),
      detailedDescription: field(updates.detailed_description ?? tool.detailedDescription),
      author: field(updates.author ?? tool.author),
      version: field(updates.version ?? tool.version),
    }),
  )
}
