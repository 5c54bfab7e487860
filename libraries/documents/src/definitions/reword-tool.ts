import type { Tool } from '@surehand/core'
import type { ToolDefinition } from './tool-definition.ts'

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
