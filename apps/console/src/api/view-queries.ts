import type { ViewBlock } from '@surehand/core/host'
import type { ViewListItemSchema, ViewSchema } from '@surehand/edge/api'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { getData } from './client.ts'
import type { Page } from './types.ts'

export type ViewListItem = z.output<typeof ViewListItemSchema>

/** A view as its pack describes it now. */
export type View = z.output<typeof ViewSchema> & { readonly blocks: readonly ViewBlock[] }

export type ViewFields = Readonly<Record<string, string>>

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: () => getData<Page<ViewListItem>>('v1/views', { limit: 200 }),
})

// Visits and reviews come and go while a person looks.
const LIVE_VIEW_MS = 5_000

export function viewQuery(pack: string, name: string, fields: ViewFields) {
  return queryOptions({
    queryKey: ['view', pack, name, fields],
    queryFn: () =>
      getData<View>(`v1/views/${encodeURIComponent(pack)}/${encodeURIComponent(name)}`, fields),
    refetchInterval: ({ state }) => (state.data?.refresh === 'live' ? LIVE_VIEW_MS : false),
  })
}
