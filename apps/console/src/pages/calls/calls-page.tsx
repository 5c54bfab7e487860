import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { type CallFilter, callsQuery, LIVE_MS } from '../../api/queries.ts'
import type { AuditRecord } from '../../api/types.ts'
import type { Column } from '../../ui/data-table.tsx'
import { FilterButtons, PeriodFields, readText } from '../../ui/filter-form.tsx'
import { useKeys } from '../../ui/keys.ts'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Time, toInstant } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { OutcomeTag } from './outcome-tag.tsx'

const COLUMNS: readonly Column<AuditRecord>[] = [
  { name: 'When', width: '8rem', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: 'Tool',
    width: 'minmax(0, 2fr)',
    cell: ({ call_id, tool_name }) => (
      <Link to="/calls/$id" params={{ id: call_id }}>
        <UntrustedText>{tool_name}</UntrustedText>
      </Link>
    ),
  },
  { name: 'Outcome', width: '8rem', cell: (record) => <OutcomeTag outcome={record.outcome} /> },
  {
    name: 'Person',
    width: 'minmax(0, 1.5fr)',
    cell: ({ principal, actor }) => (
      <>
        <UntrustedText>{principal === '' ? '(erased)' : principal}</UntrustedText>
        {actor === 'ai_agent' ? <span className="tag">agent</span> : null}
      </>
    ),
  },
  {
    name: 'Through',
    width: '6rem',
    cell: ({ surface }) => <UntrustedText>{surface}</UntrustedText>,
  },
  { name: 'Took', width: '6rem', cell: ({ duration_ms = 0 }) => `${Math.round(duration_ms)} ms` },
  {
    name: 'Code',
    width: 'minmax(0, 2fr)',
    cell: ({ code }) => <UntrustedText>{code}</UntrustedText>,
  },
]

/** Every call of the tenant, reads and refusals included, the newest first. */
export function CallsPage(): ReactNode {
  const filter = useSearch({ from: '/calls' })
  const [isFollowing, setFollowing] = useState(true)
  const calls = useInfiniteQuery({
    ...callsQuery(filter),
    placeholderData: keepPreviousData,
    // Once further pages are read, all of them would be read again.
    refetchInterval: ({ state }) =>
      isFollowing && state.data?.pages.length === 1 ? LIVE_MS : false,
  })
  const isFiltered = Object.keys(filter).length > 0
  return (
    <>
      <h1>Calls</h1>
      <FilterForm key={JSON.stringify(filter)} filter={filter} />
      <p>
        <label className="choice">
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={({ target }) => setFollowing(target.checked)}
          />
          Show new calls as they come
        </label>
      </p>
      <PagedTable
        label="Calls"
        query={calls}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        nothing={isFiltered ? 'No call matches this.' : 'No tool was called yet.'}
      />
    </>
  )
}

const OUTCOMES = [
  'done',
  'pending',
  'accepted',
  'failed',
  'denied',
  'cancelled',
  'unknown',
] as const

function FilterForm({ filter }: { readonly filter: CallFilter }): ReactNode {
  const navigate = useNavigate({ from: '/calls' })
  const tool = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => tool.current?.focus() })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void navigate({ search: readFilter(new FormData(event.currentTarget)) })
  }
  return (
    <search>
      <form className="filters" onSubmit={submit}>
        <label>
          Tool
          <input ref={tool} name="tool" defaultValue={filter.tool} placeholder="shop.buy" />
        </label>
        <label>
          Person
          <input name="principal" defaultValue={filter.principal} />
        </label>
        <label>
          Made by
          <select name="actor" defaultValue={filter.actor ?? ''}>
            <option value="">anyone</option>
            <option value="user">a person</option>
            <option value="ai_agent">an agent</option>
            <option value="system">the system</option>
          </select>
        </label>
        <label>
          Outcome
          <select name="outcome" defaultValue={filter.outcome ?? ''}>
            <option value="">any</option>
            {OUTCOMES.map((outcome) => (
              <option key={outcome}>{outcome}</option>
            ))}
          </select>
        </label>
        <PeriodFields since={filter.since} until={filter.until} />
        <label>
          Text in the input
          <input name="text" maxLength={200} defaultValue={filter.text} />
        </label>
        <label>
          Idempotency key
          <input name="key" maxLength={255} defaultValue={filter.key} />
        </label>
        <FilterButtons page="/calls" />
      </form>
    </search>
  )
}

function readFilter(form: FormData): CallFilter {
  const text = (name: string) => readText(form, name)
  return {
    tool: text('tool'),
    principal: text('principal'),
    actor: text('actor'),
    outcome: text('outcome'),
    since: toInstant(text('since')),
    until: toInstant(text('until')),
    key: text('key'),
    text: text('text'),
  }
}
