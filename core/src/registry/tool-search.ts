import type { Tool } from '../define/tool.ts'
import type { TextIndex } from '../ports/text-index.ts'
import type { RegistryOf } from './tenant-registry.ts'

/** A tool that a search found, and which of its texts matched. */
export type FoundTool = {
  readonly tool: Tool
  readonly score: number
  readonly matched: 'id' | 'name' | 'description' | 'category' | 'text'
}

export type ToolSearch = { readonly find: (query: string, tenant: string) => readonly FoundTool[] }

const BOOSTS = { id: 8, name: 5, aliases: 4, description: 2, category: 1 }
const EXACT_ID = 1_000_000
const EXACT_NAME = 500_000

/** Finds tools by their names and descriptions. The index is filled by the first search. */
export function createToolSearch(registryOf: RegistryOf, index: TextIndex): ToolSearch {
  const indexed = new Map<string, Tool>()
  const revisions = new Map<string, number>()

  function refresh(tenant: string): void {
    const registry = registryOf(tenant)
    if (revisions.get(tenant) === registry.revision()) return
    revisions.set(tenant, registry.revision())
    for (const tool of registry.list()) {
      const key = keyOf(tool.id, tenant)
      // the shared tools are the same objects for every tenant
      if (indexed.get(tool.id) === tool || indexed.get(key) === tool) continue
      const isTenantTool = registry.isTenantTool(tool.id)
      index.put({
        id: isTenantTool ? key : tool.id,
        fields: {
          id: tool.id,
          name: tool.title,
          aliases: tool.aliases.join(' '),
          description: tool.description,
          category: tool.category,
        },
      })
      indexed.set(isTenantTool ? key : tool.id, tool)
    }
  }

  return {
    find(query, tenant) {
      refresh(tenant)
      const registry = registryOf(tenant)
      const exact = registry.find(query.trim())
      const wanted = query.trim().toLowerCase()
      const hits = index.search(query, BOOSTS).flatMap(({ id, score }) => {
        const tool = indexed.get(id)
        // another tenant's, or one that this tenant has no more
        return tool === undefined || registry.find(tool.id) !== tool
          ? []
          : [rankHit(tool, score, wanted)]
      })
      const all =
        exact === undefined
          ? hits
          : [
              { tool: exact, score: EXACT_ID, matched: 'id' as const },
              ...hits.filter((hit) => hit.tool.id !== exact.id),
            ]
      // equal scores in one order, whatever order the index found them in
      return [...all].sort(
        (left, right) => right.score - left.score || (left.tool.id < right.tool.id ? -1 : 1),
      )
    },
  }
}

// an id holds no blank
function keyOf(id: string, tenant: string): string {
  return `${tenant} ${id}`
}

function rankHit(tool: Tool, score: number, wanted: string): FoundTool {
  if (tool.title.toLowerCase() === wanted) return { tool, score: EXACT_NAME, matched: 'name' }
  const words = wanted.split(/\s+/)
  const holds = (text: string): boolean => words.some((word) => text.toLowerCase().includes(word))
  if (holds(tool.id)) return { tool, score, matched: 'id' }
  if (holds(tool.title)) return { tool, score, matched: 'name' }
  if (holds(tool.description)) return { tool, score, matched: 'description' }
  return { tool, score, matched: holds(tool.category) ? 'category' : 'text' }
}
