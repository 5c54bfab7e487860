import type { Tool as McpTool } from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'
import { type Pace, resultTool } from '@surehand/core/host'
import { paceWork } from '@surehand/edge'
import { COMPACT_TOOLS } from './compact.ts'
import { describe } from './describe.ts'
import type { Surface } from './options.ts'
import { invalid } from './request.ts'
import { writeTool } from './write-message.ts'

export type ListedTools = {
  readonly tools: McpTool[]
  readonly nextCursor?: string
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
}

/** The turns of the event loop in which a page is made, and sent where it is long. */
export type ListingTurns = {
  /** Waits for a turn where the last one is used up. */
  readonly pace: Pace
  /** Waits for a turn in any case. */
  readonly next: () => Promise<void>
}

/** All turns of one page come before those of pages that this caller asks for later. */
export function takeListingTurns(caller: Caller, surface: Surface): ListingTurns {
  let order = 0
  const pace = paceWork((taken) => {
    order = taken
    return surface.listingTurn(caller, taken)
  })
  return { pace, next: () => surface.listingTurn(caller, order) }
}

/** One page of the tools that the caller may use, always in the same order. */
export async function listTools(
  { cursor }: Readonly<Record<string, unknown>>,
  { caller, turns }: { readonly caller: Caller; readonly turns: ListingTurns },
  surface: Surface,
): Promise<ListedTools> {
  if (cursor !== undefined && typeof cursor !== 'string')
    throw invalid('`cursor` must be a cursor that an earlier list returned.')
  const { listTtlMs: ttlMs } = surface
  if (surface.mode === 'compact')
    return { tools: [...COMPACT_TOOLS, describe(resultTool())], ttlMs, cacheScope: 'public' }
  const { tools, nextCursor } = await surface.catalogue.page(caller, cursor, surface.pageSize)
  const described: McpTool[] = []
  for (const tool of [...tools, ...(nextCursor === undefined ? [resultTool()] : [])]) {
    await turns.pace()
    const listed = describe(tool)
    // Written here, a few in a turn; the answer joins what was written.
    writeTool(listed)
    described.push(listed)
  }
  // Private, because another caller may use other tools.
  return {
    tools: described,
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ttlMs,
    cacheScope: 'private',
  }
}
