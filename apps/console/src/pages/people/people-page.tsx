import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Listed, type Principal, principalsQuery } from '../../api/administration-queries.ts'
import { mayChange } from '../../api/client.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { Tenants } from './tenants.tsx'
import { Tokens } from './tokens.tsx'

const COLUMNS: readonly Column<Listed<Principal>>[] = [
  {
    name: 'Principal',
    width: 'minmax(0, 2fr)',
    cell: ({ id, record }) => (
      <>
        <Link to="/people/$id" params={{ id }}>
          <UntrustedText>{id}</UntrustedText>
        </Link>
        {record.disabled ? <span className="tag bad">disabled</span> : null}
      </>
    ),
  },
  {
    name: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ record }) => <UntrustedText>{record.name ?? ''}</UntrustedText>,
  },
  {
    name: 'Roles',
    width: 'minmax(0, 2fr)',
    cell: ({ record }) => <UntrustedText>{record.roles.join(', ')}</UntrustedText>,
  },
  {
    name: 'Capabilities',
    width: '8rem',
    cell: ({ record }) => String(record.capabilities.length),
  },
]

/** The people and agents of the tenant, and the tokens that they present. */
export function PeoplePage(): ReactNode {
  const principals = useInfiniteQuery(principalsQuery)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = principals
  const loadMore = (): void => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }
  return (
    <>
      <h1>People and agents</h1>
      <p>
        {mayChange(principals) ? (
          <>
            <Link to="/new-person" className="button">
              Add a person
            </Link>{' '}
            <Link to="/webhooks" className="button">
              Webhooks
            </Link>{' '}
          </>
        ) : null}
        <Link to="/account">Your own notifications and sessions</Link>
      </p>
      <div className="short">
        <QueryState
          query={principals}
          loading="Loading the people"
          empty={({ pages }) =>
            pages[0]?.items.length === 0 ? <p>No person is entered yet.</p> : undefined
          }
        >
          {({ pages }) => (
            <DataTable
              label="People"
              rows={pages.flatMap(({ items }) => items)}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              onEnd={loadMore}
            />
          )}
        </QueryState>
      </div>
      <Tokens />
      <Tenants />
    </>
  )
}
