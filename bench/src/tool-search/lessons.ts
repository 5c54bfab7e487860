import { basename } from 'node:path'
import {
  DEVELOPMENT_SETS,
  isRightTool,
  type PublishedTool,
  type RequestCase,
  readPublishedTools,
  readRequests,
  withoutAskedPhrases,
} from '../../../apps/server/src/fixtures/tool-requests.ts'
import { analyzeTool } from '../../../libraries/discovery/src/analyze-tool.ts'
import { readCandidates } from '../../../libraries/discovery/src/rank-tools.ts'
import { createToolPostings } from '../../../libraries/discovery/src/tool-postings.ts'
import type { Lesson } from '../../../libraries/discovery/testing/fit-weights.ts'

export type Asked = { readonly set: string; readonly one: RequestCase }
export type Lessons = {
  readonly withPhrases: readonly Lesson[]
  /** An own API without phrases has to be found beside those that have them. */
  readonly besideOthers: readonly Lesson[]
}

/** The tools of the five documents, without the phrases that are taken from requests. */
export function readTools(): readonly PublishedTool[] {
  return withoutAskedPhrases(readPublishedTools())
}

/** All requests that the search is developed with. */
export function readAsked(): readonly Asked[] {
  return DEVELOPMENT_SETS.flatMap((file) =>
    readRequests(file).map((one) => ({ set: basename(file), one })),
  )
}

/** The lessons that weights are fitted on. */
export function readLessons(tools: readonly PublishedTool[], asked: readonly Asked[]): Lessons {
  const vendors = [...new Set(tools.map(({ vendor }) => vendor))]
  return {
    withPhrases: teach(tools, asked),
    besideOthers: vendors.flatMap((vendor) =>
      teach(
        withoutPhrases(tools, (tool) => tool.vendor === vendor),
        asked.filter(({ one }) => one.vendor.toLowerCase() === vendor),
      ),
    ),
  }
}

/** What a search knows of its candidates, for each request. */
export function teach(
  tools: readonly PublishedTool[],
  requests: readonly Asked[],
): readonly Lesson[] {
  const postings = createToolPostings()
  const byId = new Map(tools.map((tool) => [tool.id, tool]))
  for (const { id, fields } of tools) {
    const { tool, words } = analyzeTool({ id, fields })
    postings.put(tool, words)
  }
  return requests.map(({ set, one }) => {
    const { candidates, features } = readCandidates(one.request, postings)
    const ids = candidates.slice(0, features.length).map(({ tool }) => tool.id)
    const isRight = (id: string): boolean => {
      const tool = byId.get(id)
      return tool !== undefined && isRightTool(tool, one)
    }
    return { set, request: one.request, ids, features, right: ids.map(isRight), weight: 1 }
  })
}

export function withoutPhrases(
  tools: readonly PublishedTool[],
  isMeant: (tool: PublishedTool) => boolean = () => true,
): readonly PublishedTool[] {
  return tools.map((tool) =>
    isMeant(tool) ? { ...tool, fields: { ...tool.fields, phrases: '' } } : tool,
  )
}
