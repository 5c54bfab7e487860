import type { Tool } from '../define/tool.ts'
import type { TextIndex } from '../ports/text-index.ts'
import type { ToolSearchResult } from './documents.ts'
import type { Registry } from './registry.ts'

export type Found = { readonly tool: Tool; readonly score: number; readonly matched: ToolSearchResult['matched'] }

export type ToolSearch = { readonly find: (query: string) => readonly Found[] }

const BOOSTS = { id: 8, name: 5, aliases: 4, description: 2, category: 1 }
const EXACT_ID = 1_000_000
const EXACT_NAME = 500_000

/** Finds tools by what they are called and what they do. The index is filled when somebody first searches. */
export function createToolSearch(registry: Registry, index: TextIndex): ToolSearch {
  const indexed = new Map<string, Tool>()
  let revision = -1

  function refresh(): void {
    if (revision === registry.revision()) return
    revision = registry.revision()
    for (const tool of registry.list()) {
      if (indexed.get(tool.id) === tool) continue
      index.put({
        id: tool.id,
        fields: { id: tool.id, name: tool.title, aliases: tool.aliases.join(' '), description: tool.description, category: tool.category },
      })
      indexed.set(tool.id, tool)
    }
  }

  return {
    find(query) {
      refresh()
      const exact = registry.find(query.trim())
      const wanted = query.trim().toLowerCase()
      const hits = index.search(query, BOOSTS).flatMap(({ id, score }) => {
        const tool = indexed.get(id)
        return tool === undefined ? [] : [ranked(tool, score, wanted)]
      })
      const all =
        exact === undefined
          ? hits
          : [{ tool: exact, score: EXACT_ID, matched: 'id' as const }, ...hits.filter((hit) => hit.tool.id !== exact.id)]
      // equal scores in one order, whatever order the index found them in
      return [...all].sort((left, right) => right.score - left.score || (left.tool.id < right.tool.id ? -1 : 1))
    },
  }
}

function ranked(tool: Tool, score: number, wanted: string): Found {
  if (tool.title.toLowerCase() === wanted) return { tool, score: EXACT_NAME, matched: 'name' }
  const words = wanted.split(/\s+/)
  const holds = (text: string): boolean => words.some((word) => text.toLowerCase().includes(word))
  if (holds(tool.id)) return { tool, score, matched: 'id' }
  if (holds(tool.title)) return { tool, score, matched: 'name' }
  if (holds(tool.description)) return { tool, score, matched: 'description' }
  return { tool, score, matched: holds(tool.category) ? 'category' : 'text' }
}
