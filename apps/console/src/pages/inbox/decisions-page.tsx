import { requesterText } from '@surehand/core/host'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { approvalQuery, decisionsQuery } from '../../api/queries.ts'
import type { Approval } from '../../api/types.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ApprovalView } from './approval-view.tsx'

const TAGS: Readonly<Record<Approval['state'], readonly [name: string, tone: string]>> = {
  pending: ['Waits', ''],
  approved: ['Approved', 'good'],
  used: ['Approved', 'good'],
  denied: ['Denied', 'bad'],
  expired: ['Expired', ''],
  replaced: ['Edited', ''],
}

const COLUMNS: readonly Column<Approval>[] = [
  {
    name: 'Request',
    width: 'minmax(0, 3fr)',
    cell: ({ id, asks }) => (
      <Link to="/decisions/$id" params={{ id }}>
        <UntrustedText form="spelled">{asks.split('\n')[0] ?? ''}</UntrustedText>
      </Link>
    ),
  },
  {
    name: 'Decision',
    width: '7rem',
    cell: ({ state }) => <span className={`tag ${TAGS[state][1]}`}>{TAGS[state][0]}</span>,
  },
  {
    name: 'By',
    width: 'minmax(0, 1fr)',
    cell: ({ decision }) =>
      decision === undefined ? '' : <UntrustedText>{decision.by}</UntrustedText>,
  },
  {
    name: 'Requested by',
    width: 'minmax(0, 1fr)',
    cell: (approval) => <UntrustedText form="spelled">{requesterText(approval)}</UntrustedText>,
  },
  {
    name: 'Tool',
    width: 'minmax(0, 1.5fr)',
    cell: ({ tool }) => <code>{tool}</code>,
  },
  {
    name: 'Requested',
    width: '8rem',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
]

/** What was decided, by whom; the latest request first. */
export function DecisionsPage(): ReactNode {
  const decisions = useInfiniteQuery(decisionsQuery)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = decisions
  const loadMore = (): void => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }
  return (
    <>
      <h1>Decisions</h1>
      <QueryState
        query={decisions}
        loading="Loading the decisions"
        empty={({ pages }) =>
          decidedIn(pages).length === 0 && !hasNextPage ? (
            <p>Nothing was decided yet.</p>
          ) : undefined
        }
      >
        {({ pages }) => (
          <DataTable
            label="Decisions"
            rows={decidedIn(pages)}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            onEnd={loadMore}
          />
        )}
      </QueryState>
    </>
  )
}

function decidedIn(pages: readonly { readonly items: readonly Approval[] }[]): readonly Approval[] {
  return pages.flatMap(({ items }) => items).filter(({ state }) => state !== 'pending')
}

/** One decision, with everything that was shown to the person who made it. */
export function DecisionPage(): ReactNode {
  const { id } = useParams({ from: '/decisions/$id' })
  const approval = useQuery(approvalQuery(id))
  return (
    <>
      <h1>Decision</h1>
      <QueryState query={approval} loading="Loading the request">
        {(found) => <ApprovalView approval={found} />}
      </QueryState>
    </>
  )
}
