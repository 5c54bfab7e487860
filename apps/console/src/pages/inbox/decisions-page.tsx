import { requesterText } from '@surehand/core/host'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { approvalQuery, type DecisionFilter, decisionsQuery } from '../../api/queries.ts'
import type { Approval } from '../../api/types.ts'
import type { Column } from '../../ui/data-table.tsx'
import { FilterButtons, PeriodFields, readText } from '../../ui/filter-form.tsx'
import { useKeys } from '../../ui/keys.ts'
import { PagedTable } from '../../ui/paged-table.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { Time, toInstant } from '../../ui/time.tsx'
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
    cell: ({ tool }) => (
      <code>
        <UntrustedText>{tool}</UntrustedText>
      </code>
    ),
  },
  {
    name: 'Requested',
    width: '8rem',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
]

/** What was decided, by whom; the latest request first. */
export function DecisionsPage(): ReactNode {
  const filter = useSearch({ from: '/decisions' })
  const decisions = useInfiniteQuery(decisionsQuery(filter))
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <h1>Decisions</h1>
      <FilterForm key={JSON.stringify(filter)} filter={filter} />
      <PagedTable
        label="Decisions"
        query={decisions}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        nothing={isFiltered ? 'No decision matches this.' : 'Nothing was decided yet.'}
        nothingYet="No decision of those that were looked at matches this."
      />
    </>
  )
}

function FilterForm({ filter }: { readonly filter: DecisionFilter }): ReactNode {
  const navigate = useNavigate({ from: '/decisions' })
  const text = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => text.current?.focus() })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void navigate({ search: readFilter(new FormData(event.currentTarget)) })
  }
  return (
    <search>
      <form className="filters" onSubmit={submit}>
        <label>
          Words
          <input ref={text} name="text" defaultValue={filter.text} maxLength={200} />
        </label>
        <label>
          Tool
          <input name="tool" defaultValue={filter.tool} maxLength={200} placeholder="shop.buy" />
        </label>
        <label>
          Requested by
          <input name="principal" defaultValue={filter.principal} maxLength={200} />
        </label>
        <label>
          Through
          <select name="actor" defaultValue={filter.actor ?? ''}>
            <option value="">anything</option>
            <option value="ai_agent">an agent</option>
            <option value="user">the person</option>
          </select>
        </label>
        <label>
          Decided by
          <input name="decided_by" defaultValue={filter.decided_by} maxLength={200} />
        </label>
        <PeriodFields since={filter.since} until={filter.until} />
        <FilterButtons page="/decisions" />
      </form>
    </search>
  )
}

function readFilter(form: FormData): DecisionFilter {
  const text = (name: string) => readText(form, name)
  return {
    text: text('text'),
    tool: text('tool'),
    principal: text('principal'),
    actor: text('actor'),
    decided_by: text('decided_by'),
    since: toInstant(text('since')),
    until: toInstant(text('until')),
  }
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
