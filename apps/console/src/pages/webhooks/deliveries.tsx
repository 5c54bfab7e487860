import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { deliveriesQuery } from '../../api/account-queries.ts'
import type { WebhookDelivery } from '../../api/types.ts'
import type { Column } from '../../ui/data-table.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

// Attempts go on while the page is open.
const REFRESH_MS = 5_000

const TAGS = {
  waiting: 'tag warn',
  delivered: 'tag good',
  abandoned: 'tag bad',
  settled: 'tag',
} as const

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  {
    name: 'Call',
    width: 'minmax(0, 2fr)',
    cell: ({ id, tool, call_state }) => (
      <>
        <Link to="/calls/$id" params={{ id }}>
          <UntrustedText>{tool}</UntrustedText>
        </Link>{' '}
        <UntrustedText>{call_state}</UntrustedText>
      </>
    ),
  },
  { name: 'Ended', width: '8rem', cell: ({ ended_at }) => <Time at={ended_at} /> },
  {
    name: 'Delivery',
    width: '8rem',
    cell: ({ status }) => <span className={TAGS[status]}>{status}</span>,
  },
  { name: 'Attempts', width: '6rem', cell: ({ tries }) => String(tries) },
  {
    name: 'Last answer',
    width: 'minmax(0, 2fr)',
    cell: ({ last_result }) =>
      last_result === null ? (
        ''
      ) : (
        <>
          <UntrustedText>{last_result.trouble ?? `status ${last_result.status}`}</UntrustedText>{' '}
          <span className="quiet">
            <Time at={last_result.at} />
          </span>
        </>
      ),
  },
  {
    name: 'Next attempt',
    width: '8rem',
    cell: ({ next_attempt_at, status }) =>
      next_attempt_at !== null ? (
        <Time at={next_attempt_at} />
      ) : status === 'waiting' ? (
        'now'
      ) : (
        'none'
      ),
  },
]

/** The deliveries of a webhook, made and waiting. */
export function Deliveries({ id }: { readonly id: string }): ReactNode {
  const deliveries = useInfiniteQuery({ ...deliveriesQuery(id), refetchInterval: REFRESH_MS })
  return (
    <section>
      <h2>Last deliveries</h2>
      <div className="short">
        <PagedTable
          label="Deliveries"
          query={deliveries}
          columns={COLUMNS}
          keyOf={(one) => one.id}
          nothing="No call that named it has ended yet."
        />
      </div>
    </section>
  )
}
