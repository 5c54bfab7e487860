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
  /** Said where no row was found in what was read so far, and there is more to read. */
  readonly nothingYet?: string
}

/** A table whose further pages are read when its end comes into view. */
export function PagedTable<Row>(props: PagedTableProps<Row>): ReactNode {
  const { label, query, columns, keyOf, nothing, nothingYet } = props
  const loadMore = (): void => {
    if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
  }
  return (
    <QueryState
      query={query}
      loading={`Loading the ${label.toLowerCase()}`}
      empty={({ pages }) => {
        if (pages.some(({ items }) => items.length > 0)) return undefined
        if (!query.hasNextPage) return <p>{nothing}</p>
        // A search reads a part of the rows at a time.
        return <SearchOn words={nothingYet} isBusy={query.isFetchingNextPage} onMore={loadMore} />
      }}
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

type SearchOnProps = {
  readonly words: string | undefined
  readonly isBusy: boolean
  readonly onMore: () => void
}

function SearchOn({ words, isBusy, onMore }: SearchOnProps): ReactNode {
  return (
    <>
      <p>{words}</p>
      <button type="button" disabled={isBusy} onClick={onMore}>
        {isBusy ? 'Searching …' : 'Search older ones'}
      </button>
    </>
  )
}
