import type { Tool } from '../define/tool.ts'
import type { ToolDefinition } from './documents.ts'

const WORDS: ReadonlySet<string> = new Set(['name', 'description', 'detailed_description', 'author', 'version', 'updated_at'])

/**
 * A tool that is defined in code, with other words. Everything else of it, above all its contract, is changed in the code:
 * a document can't say approvals and gates, and taking them from it would loosen them.
 */
export function reworded(tool: Tool, updates: Partial<ToolDefinition>): Tool {
  const other = Object.keys(updates).filter((field) => !WORDS.has(field))
  if (other.length > 0) throw new TypeError(`${tool.id} is defined in code: change ${other.join(', ')} there.`)
  return Object.freeze({
    ...tool,
    title: updates.name ?? tool.title,
    description: updates.description ?? tool.description,
    detailedDescription: updates.detailed_description ?? tool.detailedDescription,
    author: updates.author ?? tool.author,
    version: updates.version ?? tool.version,
  })
}
