import type { IndexedText, TextIndex } from '@surehand/core/ports'
import { analyzeTool } from './analyze-tool.ts'
import { type Found, type MeaningOptions, rankByMeaning } from './rank-by-meaning.ts'
import { rankTools } from './rank-tools.ts'
import { createToolPostings } from './tool-postings.ts'

/**
 * An index that finds a tool among thousands by what it does. Beside the words it compares the
 * action (create, list, get, update, delete) and how much of the tool's name was asked for, and with
 * `embeddings` the meaning.
 */
export function toolIndex({ embeddings, ...options }: MeaningOptions = {}): TextIndex {
  const tools = createToolPostings()
  const pending = new Map<string, IndexedText>()

  /** Indexes what was added, until the time is up; whether everything is indexed. */
  function update(mostMs = Number.POSITIVE_INFINITY): boolean {
    const start = performance.now()
    for (const [id, text] of pending) {
      if (performance.now() - start > mostMs) return false
      pending.delete(id)
      const { tool, words } = analyzeTool(text)
      tools.put(tool, words)
    }
    return true
  }

  const words = {
    put: (text: IndexedText) => void pending.set(text.id, text),
    remove(id: string) {
      pending.delete(id)
      tools.remove(id)
    },
    search(query: string): readonly Found[] {
      update()
      return rankTools(query, tools)
    },
  }
  return embeddings === undefined
    ? words
    : rankByMeaning(words, { embeddings, ...options, update, briefs: tools.briefs })
}
