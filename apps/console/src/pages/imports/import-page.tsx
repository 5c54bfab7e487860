import { visibleText } from '@surehand/core/host'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  acceptTools,
  type Import,
  importQuery,
  importsQuery,
  refreshImport,
  removeImport,
} from '../../api/import-queries.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'

/** One import: where it is from, what is pinned, and what has changed since it was accepted. */
export function ImportPage(): ReactNode {
  const { name } = useParams({ from: '/imports/$name' })
  const found = useQuery(importQuery(name))
  return (
    <>
      <p>
        <Link to="/imports">‹ Imports and mounts</Link>
      </p>
      <h1>
        <UntrustedText>{name}</UntrustedText>
      </h1>
      <QueryState query={found} loading="Loading the import">
        {(one) => (
          <>
            <Facts one={one} />
            <Refusals refusals={one.refusals} />
            <Held key={one.document} one={one} />
            <Actions one={one} />
          </>
        )}
      </QueryState>
    </>
  )
}

function Facts({ one }: { readonly one: Import }): ReactNode {
  const { kind, from, settings, document, tools, trouble, refused, imported_by } = one
  return (
    <>
      {trouble === undefined ? null : (
        <p className="note bad">
          <UntrustedText>{trouble}</UntrustedText>
        </p>
      )}
      {refused === undefined ? null : (
        <p className="note bad">
          <UntrustedText>{[refused.reason, ...refused.suggestions].join(' ')}</UntrustedText>
        </p>
      )}
      <ValueView
        value={{
          kind,
          'imported by': imported_by,
          'tools that can be called': tools,
          from: from ?? 'a file that was sent',
          ...(settings === undefined || settings === null ? {} : { settings }),
          'refreshed every':
            one.refresh_seconds === 0 ? 'on request only' : `${one.refresh_seconds} s`,
          'pinned document': document,
        }}
      />
      <p>
        <Link to="/tools" search={{ q: one.name }}>
          See its tools
        </Link>
      </p>
    </>
  )
}

/** What its requests were not let out to: where, when, why, and what to do. */
function Refusals({ refusals }: Pick<Import, 'refusals'>): ReactNode {
  if (refusals.length === 0) return null
  return (
    <section>
      <h2>Refused requests</h2>
      <p>
        Tools reach public addresses only. Hosts of your own network are opened by the operator of
        the server, with <code>privateHosts</code> in its configuration.
      </p>
      <ul className="list">
        {refusals.map(({ host, reason, suggestion, at }) => (
          <li key={`${host} ${reason}`}>
            <strong>
              <UntrustedText>{host}</UntrustedText>
            </strong>{' '}
            was not contacted, <DateTime at={at} />: <UntrustedText>{reason}</UntrustedText>.
            <p className="quiet">
              <UntrustedText>{suggestion}</UntrustedText>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Held({ one }: { readonly one: Import }): ReactNode {
  const { name, document, held } = one
  const client = useQueryClient()
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const accept = useMutation({
    mutationFn: () => acceptTools(name, document, [...marked]),
    onSuccess: async (accepted) => {
      setMarked(new Set())
      client.setQueryData(importQuery(name).queryKey, accepted)
      await client.invalidateQueries(importsQuery)
    },
  })
  if (held.length === 0) return <p className="note good">Nothing is quarantined.</p>
  const mark = (id: string, isMarked: boolean): void => {
    const next = new Set(marked)
    if (isMarked) next.add(id)
    else next.delete(id)
    setMarked(next)
  }
  return (
    <section>
      <h2>Quarantined</h2>
      <p>
        These tools are other than what was accepted. They cannot be called until you accept them;
        to refuse them, leave them here.
      </p>
      {held.map((tool) => (
        <div className="card" key={tool.id}>
          <label className="choice">
            <input
              type="checkbox"
              checked={marked.has(tool.id)}
              onChange={({ target }) => mark(tool.id, target.checked)}
            />
            <UntrustedText>{tool.id}</UntrustedText>
          </label>
          <p className="note warn">
            <UntrustedText>{tool.held}</UntrustedText>
          </p>
          <ul>
            {tool.differences.map((difference) => (
              <li key={difference}>
                <UntrustedText form={formOf(difference)}>{difference}</UntrustedText>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {accept.error === null ? null : <Failure error={accept.error} />}
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={marked.size === 0 || accept.isPending}
          onClick={() => accept.mutate()}
        >
          Accept {marked.size} {marked.size === 1 ? 'tool' : 'tools'}
        </button>
      </div>
    </section>
  )
}

const SPELLED = /⟨U\+[0-9A-F]{4,6}⟩/g

// The server has spelled out what hides in the words of a description, but not in the names of fields.
function formOf(difference: string): 'raw' | 'spelled' {
  const rest = difference.replaceAll(SPELLED, '')
  return visibleText(rest) === rest ? 'spelled' : 'raw'
}

function Actions({ one: { name } }: { readonly one: Import }): ReactNode {
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = useMutation({
    mutationFn: () => refreshImport(name),
    onSuccess: (found) => client.setQueryData(importQuery(name).queryKey, found),
  })
  const remove = useMutation({
    mutationFn: () => removeImport(name),
    onSuccess: async () => {
      await client.invalidateQueries(importsQuery)
      await navigate({ to: '/imports' })
    },
  })
  return (
    <section>
      <div className="buttons">
        <button type="button" disabled={refresh.isPending} onClick={() => refresh.mutate()}>
          Fetch it again
        </button>
        <ConfirmButton
          name={`Remove ${name}`}
          question="Its tools can no longer be called."
          onConfirm={() => remove.mutate()}
        />
      </div>
      {refresh.error === null ? null : <Failure error={refresh.error} />}
      {remove.error === null ? null : <Failure error={remove.error} />}
    </section>
  )
}
