import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getData, postCall } from './client.ts'
import { pages } from './queries.ts'
import type {
  CallEnvelope,
  FoundTool,
  Page,
  Tool,
  ToolAccess,
  ToolContract,
  ToolFigures,
} from './types.ts'

const PER_PAGE = 100

/** What the catalogue shows; all of it is found on the server. */
export type ToolFilter = {
  readonly q?: string | undefined
  readonly as?: 'agent' | undefined
}

export function toolsQuery({ q, as }: ToolFilter) {
  return infiniteQueryOptions({
    queryKey: ['tools', q, as],
    queryFn: async ({ pageParam }): Promise<Page<Tool>> => {
      const query = { as, limit: PER_PAGE, cursor: pageParam || undefined }
      if (q === undefined) return getData('v1/tools', query)
      const found = await getData<Page<FoundTool>>('v1/search', { ...query, q })
      return { ...found, items: found.items.map(({ tool }) => tool) }
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })
}

const pathOf = (id: string, part: string): string => `v1/tools/${encodeURIComponent(id)}/${part}`

export function contractQuery(id: string) {
  return queryOptions({
    queryKey: ['tool', id],
    queryFn: () => getData<ToolContract>(pathOf(id, 'contract')),
  })
}

export function accessQuery(id: string) {
  return pages<ToolAccess>(`access ${id}`, pathOf(id, 'access'))
}

export function figuresQuery(id: string) {
  return queryOptions({
    queryKey: ['figures', id],
    queryFn: () => getData<ToolFigures>(pathOf(id, 'figures')),
  })
}

/** Calls a tool as the person who is signed in. */
export function callTool(id: string, input: unknown, key: string): Promise<CallEnvelope> {
  return postCall(pathOf(id, 'call'), input, key)
}
