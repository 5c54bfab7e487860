import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  acceptProgram,
  dryRunProgram,
  type ProgramView,
  programQuery,
  programsQuery,
  removeProgram,
} from '../../api/program-queries.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'
import { Flow } from './flow.tsx'
import { ProgramState } from './programs-page.tsx'

/** A program: what it does, as a flow; what a dry run answers; and whether it may be used. */
export function ProgramPage(): ReactNode {
  const { id } = useParams({ from: '/programs/$id' })
  const program = useQuery(programQuery(id))
  return (
    <>
      <p>
        <Link to="/programs">‹ Programs</Link>
      </p>
      <h1>
        <UntrustedText>{id}</UntrustedText>
      </h1>
      <QueryState query={program} loading="Loading the program">
        {(view) => <Details view={view} />}
      </QueryState>
    </>
  )
}

function Details({ view }: { readonly view: ProgramView }): ReactNode {
  const { state, program, proposed_by, actor, proposed_at, parts, warnings, problem } = view
  const { steps, answer, ...described } = program as Record<string, unknown>
  const effects = new Map(parts.map(({ tool, effect }) => [tool, effect]))
  return (
    <>
      <p>
        <ProgramState state={state} /> Proposed by <UntrustedText>{proposed_by}</UntrustedText>
        {actor === 'ai_agent' ? ' (agent)' : ''}, <DateTime at={proposed_at} />
      </p>
      {problem === undefined ? null : (
        <p className="note bad">
          <UntrustedText>{problem}</UntrustedText>
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="note warn">
          Not proven: <UntrustedText>{warning}</UntrustedText>
        </p>
      ))}
      <Parts view={view} />
      <section>
        <h2>Flow</h2>
        <Flow steps={steps} effects={effects} />
        <h3>Answer</h3>
        <ValueView value={answer} />
      </section>
      <DryRuns view={view} />
      <section>
        <h2>All of it</h2>
        <ValueView value={described} />
      </section>
      <Versions view={view} />
      <Decision view={view} />
    </>
  )
}

function Parts({ view: { parts } }: { readonly view: ProgramView }): ReactNode {
  const TEXTS = {
    same: undefined,
    changed: 'has changed since it was accepted',
    missing: 'is not there',
  } as const
  return (
    <section>
      <h2>Tools that it calls</h2>
      <ul className="list">
        {parts.map(({ tool, effect, state }) => (
          <li key={tool}>
            <Link to="/tools/$id" params={{ id: tool }}>
              <UntrustedText>{tool}</UntrustedText>
            </Link>{' '}
            <span className={`tag ${effect === 'read' ? '' : 'warn'}`}>
              <UntrustedText>{effect === 'read' ? 'reads' : effect}</UntrustedText>
            </span>
            {TEXTS[state] === undefined ? null : <span className="tag bad">{TEXTS[state]}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function DryRuns({ view: { id, examples } }: { readonly view: ProgramView }): ReactNode {
  const [text, setText] = useState(() => JSON.stringify(examples[0]?.input ?? {}, undefined, 2))
  const run = useMutation({ mutationFn: () => dryRunProgram(id, JSON.parse(text) as unknown) })
  const result = run.data
  return (
    <section>
      <h2>Dry run</h2>
      <p className="quiet">
        Reads are called in your name; whatever changes something is simulated, and questions are
        answered by a sample.
      </p>
      <div className="buttons">
        {examples.map(({ name, input }) => (
          <button
            key={name}
            type="button"
            onClick={() => setText(JSON.stringify(input, undefined, 2))}
          >
            <UntrustedText>{`Example: ${name}`}</UntrustedText>
          </button>
        ))}
      </div>
      <label>
        Input
        <textarea rows={4} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <p>
        <button type="button" disabled={run.isPending} onClick={() => run.mutate()}>
          Run it without effects
        </button>
      </p>
      {run.error === null ? null : <Failure error={run.error} />}
      <div role="status">
        {result === undefined ? null : (
          <>
            <ol className="timeline">
              {result.steps.map((step, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a run never change
                <li key={index}>
                  <p>
                    <span className={`tag ${step.how === 'simulated' ? 'warn' : ''}`}>
                      {step.how}
                    </span>
                    <UntrustedText>{`${step.path} ${step.tool}`}</UntrustedText>
                  </p>
                  <ValueView value={{ input: step.input, output: step.output ?? step.error }} />
                </li>
              ))}
            </ol>
            {result.error === undefined ? (
              <>
                <h3>Its answer</h3>
                <ValueView value={result.answer} />
              </>
            ) : (
              <p className="note bad">
                <UntrustedText>{result.error}</UntrustedText>
              </p>
            )}
          </>
        )}
      </div>
    </section>
  )
}

function Versions({ view: { in_use, former } }: { readonly view: ProgramView }): ReactNode {
  if (in_use === undefined) return null
  return (
    <section>
      <h2>Versions</h2>
      <ul>
        <li>
          <UntrustedText>{in_use.version}</UntrustedText>, in use, accepted by{' '}
          <UntrustedText>{in_use.accepted_by}</UntrustedText>
        </li>
        {former.map(({ version, accepted_by, accepted_at }) => (
          <li key={accepted_at}>
            <UntrustedText>{version}</UntrustedText>, accepted by{' '}
            <UntrustedText>{accepted_by}</UntrustedText> <DateTime at={accepted_at} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Decision({ view }: { readonly view: ProgramView }): ReactNode {
  const { id, state, digest, problem, in_use } = view
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = (): Promise<unknown> =>
    Promise.all([
      client.invalidateQueries(programQuery(id)),
      client.invalidateQueries(programsQuery),
    ])
  const accept = useMutation({
    mutationFn: () => acceptProgram(id, digest),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: () => removeProgram(id),
    onSuccess: async () => {
      await navigate({ to: '/programs' })
      // Its page must not show what is gone when it is opened again at once.
      client.removeQueries(programQuery(id))
      await client.invalidateQueries(programsQuery)
    },
  })
  const isNewer = state === 'proposed' && in_use !== undefined
  return (
    <section>
      <h2>Decide</h2>
      {[accept.error, remove.error].map((error) =>
        error === null ? null : <Failure key={error.message} error={error} />,
      )}
      <div className="buttons">
        {state === 'accepted' ? null : (
          <button
            type="button"
            className="primary"
            disabled={accept.isPending || problem !== undefined}
            onClick={() => accept.mutate()}
          >
            {state === 'withdrawn' ? 'Accept it again, as it is now' : 'Accept it'}
          </button>
        )}
        <ConfirmButton
          name={state === 'proposed' ? 'Refuse it' : 'Remove it'}
          question={
            isNewer
              ? 'The proposal is removed, and the version in use stays.'
              : 'It cannot be called any more. Calls that are under way go on.'
          }
          onConfirm={() => remove.mutate()}
        />
      </div>
    </section>
  )
}
