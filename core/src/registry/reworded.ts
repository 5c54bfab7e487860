import type { Tool } from '../define/tool.ts'
import type { ToolDefinition } from './documents.ts'

const WORDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'detailed_description',
  'author',
  'version',
  'updated_at',
])

/**
 * A tool that is defined in code, with other words. Everything else of it, above all its contract, is changed in the code:
 * a document can't say approvals and gates, and taking them from it would loosen them.
 */
export function reworded(tool: Tool, updates: Partial<ToolDefinition>): Tool {
  const other = Object.keys(updates).filter((field) => !WORDS.has(field))
  if (other.length > 0)
    throw new TypeError(`${tool.id} is defined in code: change ${other.join(', ')} there.`)
  const said = (value: string | undefined): PropertyDescriptor => ({ value, enumerable: true })
  // the same tool behind it: a copy would lose what a foreign tool makes when it is first looked at
  return Object.freeze(
    Object.create(tool, {
      title: said(updates.name ?? tool.title),
      description: said(updates.description ?? tool.description),
      detailedDescription: said(updates.detailed_description ?? tool.detailedDescription),
      author: said(updates.author ?? tool.author),
      version: said(updates.version ?? tool.version),
    }),
  )
}
