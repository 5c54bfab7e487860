import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { sessionQuery } from '../../api/queries.ts'
import { accessQuery, contractQuery, figuresQuery } from '../../api/tool-queries.ts'
import type { ToolAccess, ToolContract, ToolFigures } from '../../api/types.ts'
import { QueryState } from '../../ui/query-state.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'

// The library of forms is larger than the rest of the page.
const TryForm = lazy(() => import('./try-form.tsx').then((m) => ({ default: m.TryForm })))

/** One tool: what it promises, who may use it, how it does, and a form to call it with. */
export function ToolPage(): ReactNode {
  const { id } = useParams({ from: '/tools/$id' })
  const contract = useQuery(contractQuery(id))
  const session = useQuery(sessionQuery)
  return (
    <>
      <p>
        <Link to="/tools">‹ Tools</Link>
      </p>
      <QueryState query={contract} loading="Loading the tool">
        {(found) => (
          <>
            <Contract contract={found} />
            <Trial contract={found} />
            <Access id={found.tool.id} />
            {session.data?.is_administrator ? <Figures id={found.tool.id} /> : null}
            <Versions contract={found} />
            <Schemas contract={found} />
          </>
        )}
      </QueryState>
    </>
  )
}

function Contract({ contract }: { readonly contract: ToolContract }): ReactNode {
  const { tool, sentences, tokens } = contract
  return (
    <>
      <h1>
        <UntrustedText>{tool.name}</UntrustedText>
      </h1>
      <p className="quiet">
        <UntrustedText>{`${tool.id}, version ${tool.version}, ${tool.category}`}</UntrustedText>
        {`; about ${tokens.toLocaleString()} tokens in the context of a model`}
      </p>
      <p>
        <UntrustedText>{tool.description}</UntrustedText>
      </p>
      {tool.deprecated_at === undefined ? null : (
        <p className="note warn">
          Deprecated since <DateTime at={tool.deprecated_at} />.
          {tool.replacement_tool === undefined ? null : (
            <UntrustedText>{` Use ${tool.replacement_tool} instead.`}</UntrustedText>
          )}
        </p>
      )}
      <section>
        <h2>Contract</h2>
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>
              <UntrustedText>{sentence}</UntrustedText>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function Trial({ contract }: { readonly contract: ToolContract }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <section>
      <h2>Try it</h2>
      {!contract.may_use ? (
        <p className="note">You may not use it yourself. What you lack is said below.</p>
      ) : isOpen ? (
        <Suspense fallback={<p role="status">Loading the form …</p>}>
          <TryForm contract={contract} />
        </Suspense>
      ) : (
        <button type="button" onClick={() => setOpen(true)}>
          Open the form
        </button>
      )}
    </section>
  )
}

function Access({ id }: { readonly id: string }): ReactNode {
  const access = useInfiniteQuery(accessQuery(id))
  return (
    <section>
      <h2>Who may use it</h2>
      <QueryState
        query={access}
        loading="Loading who may use it"
        empty={({ pages }) =>
          pages[0]?.items.length === 0 ? <p>The tenant has no principals.</p> : undefined
        }
      >
        {({ pages }) => (
          <dl className="values">
            {pages
              .flatMap(({ items }) => items)
              .map((one) => (
                <AccessEntry key={one.principal} access={one} />
              ))}
          </dl>
        )}
      </QueryState>
      {access.hasNextPage ? (
        <button
          type="button"
          disabled={access.isFetchingNextPage}
          onClick={() => void access.fetchNextPage()}
        >
          Show more
        </button>
      ) : null}
    </section>
  )
}

function AccessEntry({ access }: { readonly access: ToolAccess }): ReactNode {
  const { principal, disabled, person, agent } = access
  return (
    <div>
      <dt>
        <UntrustedText>{principal}</UntrustedText>
        {disabled ? <span className="tag bad">disabled</span> : null}
      </dt>
      <dd>
        <Permission who="as a person" permission={person} />
        <Permission who="through an agent" permission={agent} />
      </dd>
    </div>
  )
}

type PermissionProps = { readonly who: string; readonly permission: ToolAccess['person'] }

function Permission({ who, permission }: PermissionProps): ReactNode {
  const { allowed, missing, conditions } = permission
  return (
    <>
      <p>
        <span className={`tag ${allowed ? 'good' : 'bad'}`}>{allowed ? 'may' : 'may not'}</span>
        {who}
        {conditions.length === 0 ? null : (
          <UntrustedText>
            {`, under conditions: ${conditions.map(({ type }) => type.replaceAll('_', ' ')).join(', ')}`}
          </UntrustedText>
        )}
      </p>
      {missing.length === 0 ? null : (
        <ul>
          {missing.map(({ explanation, granted_by }) => (
            <li key={explanation}>
              <UntrustedText>{`${explanation} ${granted_by}`}</UntrustedText>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Figures({ id }: { readonly id: string }): ReactNode {
  const figures = useQuery(figuresQuery(id))
  return (
    <section>
      <h2>Figures</h2>
      <QueryState
        query={figures}
        loading="Loading the figures"
        empty={({ calls }) => (calls === 0 ? <p>It was not called yet.</p> : undefined)}
      >
        {(found) => <FiguresView figures={found} id={id} />}
      </QueryState>
    </section>
  )
}

function FiguresView({ figures, id }: { readonly figures: ToolFigures; readonly id: string }) {
  const { calls, failures, since, outcomes, codes, budget_ms, over_budget } = figures
  const ms = (value: number): string => `${Math.round(value * 10) / 10} ms`
  return (
    <>
      <dl className="figures">
        <Figure name="Answers" value={calls.toLocaleString()} />
        <Figure name="Errors" value={`${Math.round((failures / calls) * 1_000) / 10} %`} />
        <Figure name="p50" value={ms(figures.p50_ms)} />
        <Figure name="p95" value={ms(figures.p95_ms)} />
        <Figure name="p99" value={ms(figures.p99_ms)} />
        <Figure name={`Over ${ms(budget_ms)}`} value={over_budget.toLocaleString()} />
      </dl>
      <p className="quiet">
        Of this tenant, from the audit{since === undefined ? '' : ', since '}
        {since === undefined ? null : <DateTime at={since} />}, at most seven days; durations are
        right to a tenth.{' '}
        <Link to="/calls" search={{ tool: id }}>
          See the calls
        </Link>
      </p>
      <ValueView value={{ outcomes, ...(failures === 0 ? {} : { errors: codes }) }} />
    </>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Versions({ contract: { versions } }: { readonly contract: ToolContract }): ReactNode {
  return (
    <section>
      <h2>Versions</h2>
      <ol className="timeline">
        {versions.map(({ version, definition_hash, differences, breaking, level }) => (
          <li key={version}>
            <p>
              <strong>
                <UntrustedText>{version}</UntrustedText>
              </strong>{' '}
              {level === 'none' ? null : (
                <span className={`tag ${level === 'major' ? 'bad' : ''}`}>{level}</span>
              )}
              <code className="quiet">{definition_hash.slice(0, 12)}</code>
            </p>
            <ul>
              {differences.map((difference) => (
                <li key={difference}>
                  {breaking.includes(difference) ? <span className="tag bad">breaks</span> : null}
                  <UntrustedText>{difference}</UntrustedText>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Schemas({ contract: { tool } }: { readonly contract: ToolContract }): ReactNode {
  const { input, output } = tool.function_signature
  return (
    <section>
      <h2>Schemas</h2>
      <SchemaView name="Input" schema={input.schema} />
      {output === undefined ? null : <SchemaView name="Output" schema={output.success_schema} />}
    </section>
  )
}

function SchemaView({ name, schema }: { readonly name: string; readonly schema: unknown }) {
  return (
    <details>
      <summary>{name}</summary>
      <pre>
        <UntrustedText>{JSON.stringify(schema, undefined, 2)}</UntrustedText>
      </pre>
    </details>
  )
}
