import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { type ToolFilter, toolsQuery } from '../../api/tool-queries.ts'
import type { Tool } from '../../api/types.ts'
import type { Column } from '../../ui/data-table.tsx'
import { FilterButtons } from '../../ui/filter-form.tsx'
import { useKeys } from '../../ui/keys.ts'
import { PagedTable } from '../../ui/paged-table.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

const COLUMNS: readonly Column<Tool>[] = [
  {
    name: 'Tool',
    width: 'minmax(0, 2fr)',
    cell: ({ id }) => (
      <Link to="/tools/$id" params={{ id }}>
        <UntrustedText>{id}</UntrustedText>
      </Link>
    ),
  },
  {
    name: 'What it does',
    width: 'minmax(0, 4fr)',
    cell: ({ name, description }) => (
      <>
        <strong>
          <UntrustedText>{name}</UntrustedText>
        </strong>{' '}
        <span className="quiet">
          <UntrustedText>{firstSentence(description)}</UntrustedText>
        </span>
      </>
    ),
  },
  { name: 'Contract', width: 'minmax(0, 2fr)', cell: (tool) => <ContractTags tool={tool} /> },
  {
    name: 'Version',
    width: '6rem',
    cell: ({ version }) => <UntrustedText>{version}</UntrustedText>,
  },
]

function firstSentence(text: string): string {
  return text.split(/(?<=[.!?])\s/, 1)[0] ?? text
}

function ContractTags({ tool }: { readonly tool: Tool }): ReactNode {
  const { surehand: contract, deprecated_at } = tool
  const isWrite = contract?.effect.startsWith('writes.') ?? false
  return (
    <>
      <span className={`tag ${isWrite ? 'warn' : ''}`}>{isWrite ? 'changes' : 'reads'}</span>
      {contract?.reversible === false ? <span className="tag bad">final</span> : null}
      {contract === undefined || contract.approval === 'none' ? null : (
        <span className="tag">asks first</span>
      )}
      {deprecated_at === undefined ? null : <span className="tag bad">deprecated</span>}
    </>
  )
}

/** The tools that a person or their agent may use, searched as an agent searches them. */
export function ToolsPage(): ReactNode {
  const filter = useSearch({ from: '/tools' })
  const tools = useInfiniteQuery({ ...toolsQuery(filter), placeholderData: keepPreviousData })
  return (
    <>
      <h1>Tools</h1>
      <FilterForm key={JSON.stringify(filter)} filter={filter} />
      <PagedTable
        label="Tools"
        query={tools}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        nothing={describeNothing(filter)}
      />
    </>
  )
}

function describeNothing({ q, as }: ToolFilter): string {
  if (q !== undefined) return 'No tool is found by this. Say what it should do in other words.'
  return as === 'agent' ? 'Your agents may use no tool.' : 'You may use no tool.'
}

function FilterForm({ filter }: { readonly filter: ToolFilter }): ReactNode {
  const navigate = useNavigate({ from: '/tools' })
  const words = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => words.current?.focus() })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const q = String(form.get('q') ?? '').trim()
    void navigate({
      search: {
        ...(q === '' ? {} : { q }),
        ...(form.get('as') === 'agent' ? { as: 'agent' as const } : {}),
      },
    })
  }
  return (
    <search>
      <form className="filters" onSubmit={submit}>
        <label>
          What it does
          <input
            ref={words}
            name="q"
            maxLength={400}
            defaultValue={filter.q}
            placeholder="send money to a supplier"
          />
        </label>
        <label>
          Seen by
          <select name="as" defaultValue={filter.as ?? 'me'}>
            <option value="me">me</option>
            <option value="agent">an agent of mine</option>
          </select>
        </label>
        <FilterButtons page="/tools" />
      </form>
    </search>
  )
}
