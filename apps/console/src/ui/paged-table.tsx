import type { ReactNode } from 'react'
import { type Column, DataTable } from './data-table.tsx'
import { QueryState } from './query-state.tsx'

type Paged<Row> = {
  readonly data: { readonly pages: readonly { readonly items: readonly Row[] }[] } | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => unknown
}

type PagedTableProps<Row> = {
  readonly label: string
  readonly query: Paged<Row>
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** What is said where there is no row. */
  readonly nothing: string
}

/** A table whose further pages are read when its end comes into view. */
export function PagedTable<Row>(props: PagedTableProps<Row>): ReactNode {
  const { label, query, columns, keyOf, nothing } = props
  const loadMore = (): void => {
    if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
  }
  return (
    <QueryState
      query={query}
      loading={`Loading the ${label.toLowerCase()}`}
      empty={({ pages }) => (pages[0]?.items.length === 0 ? <p>{nothing}</p> : undefined)}
    >
      {({ pages }) => (
        <DataTable
          label={label}
          rows={pages.flatMap(({ items }) => items)}
          columns={columns}
          keyOf={keyOf}
          onEnd={loadMore}
        />
      )}
    </QueryState>
  )
}
