import type { ReactNode } from 'react'

type MoreButtonProps = {
  readonly query: { readonly hasNextPage: boolean; readonly fetchNextPage: () => unknown }
}

/** Reads the next page of a list that is not a table; absent where there is none. */
export function MoreButton({ query }: MoreButtonProps): ReactNode {
  return query.hasNextPage ? (
    <button type="button" onClick={() => void query.fetchNextPage()}>
      Show more
    </button>
  ) : null
}
