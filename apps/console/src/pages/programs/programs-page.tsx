import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ProgramView, programsQuery } from '../../api/program-queries.ts'
import type { Column } from '../../ui/data-table.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

const TONES = { proposed: 'warn', accepted: 'good', withdrawn: 'bad' } as const

export function ProgramState({ state }: Pick<ProgramView, 'state'>): ReactNode {
  return <span className={`tag ${TONES[state]}`}>{state}</span>
}

const COLUMNS: readonly Column<ProgramView>[] = [
  {
    name: 'Program',
    width: 'minmax(0, 2fr)',
    cell: ({ id }) => (
      <Link to="/programs/$id" params={{ id }}>
        <UntrustedText>{id}</UntrustedText>
      </Link>
    ),
  },
  { name: 'State', width: '8rem', cell: ({ state }) => <ProgramState state={state} /> },
  {
    name: 'Calls',
    width: 'minmax(0, 3fr)',
    cell: ({ parts }) => <UntrustedText>{parts.map(({ tool }) => tool).join(', ')}</UntrustedText>,
  },
  {
    name: 'Proposed by',
    width: 'minmax(0, 2fr)',
    cell: ({ proposed_by, actor }) => (
      <>
        <UntrustedText>{proposed_by}</UntrustedText>
        {actor === 'ai_agent' ? <span className="tag">agent</span> : null}
      </>
    ),
  },
  { name: 'When', width: '8rem', cell: ({ proposed_at }) => <Time at={proposed_at} /> },
]

/** Tools that agents made of other tools, and proposed. */
export function ProgramsPage(): ReactNode {
  const programs = useInfiniteQuery(programsQuery)
  return (
    <>
      <h1>Programs</h1>
      <p>Tools that agents made of other tools. They can be called when a person accepts them.</p>
      <PagedTable
        label="Programs"
        query={programs}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        nothing="No agent has proposed a program. They do so with the tool registry.propose_program or POST /v1/programs."
      />
    </>
  )
}
