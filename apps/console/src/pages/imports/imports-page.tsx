import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  type Credential,
  credentialsQuery,
  type Import,
  importsQuery,
  removeCredential,
} from '../../api/import-queries.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { AddImport } from './add-import.tsx'

/** Tools that came from elsewhere: imported documents, mounted servers, and their credentials. */
export function ImportsPage(): ReactNode {
  const imports = useInfiniteQuery(importsQuery)
  return (
    <>
      <h1>Imports and mounts</h1>
      <QueryState
        query={imports}
        loading="Loading the imports"
        empty={({ pages }) =>
          pages[0]?.items.length === 0 ? <p>Nothing is imported or mounted.</p> : undefined
        }
      >
        {({ pages }) => (
          <ul className="list">
            {pages
              .flatMap(({ items }) => items)
              .map((one) => (
                <ImportEntry key={one.name} one={one} />
              ))}
          </ul>
        )}
      </QueryState>
      {imports.hasNextPage ? (
        <button type="button" onClick={() => void imports.fetchNextPage()}>
          Show more
        </button>
      ) : null}
      <AddImport />
      <Credentials />
    </>
  )
}

function ImportEntry({ one }: { readonly one: Import }): ReactNode {
  const { name, kind, tools, held, trouble, refused } = one
  return (
    <li>
      <Link to="/imports/$name" params={{ name }}>
        <UntrustedText>{name}</UntrustedText>
      </Link>{' '}
      <span className="quiet">
        {kind}, {tools} {tools === 1 ? 'tool' : 'tools'}
      </span>{' '}
      {held.length === 0 ? null : <span className="tag warn">{held.length} quarantined</span>}
      {trouble === undefined && refused === undefined ? null : (
        <span className="tag bad">trouble</span>
      )}
    </li>
  )
}

function Credentials(): ReactNode {
  const credentials = useQuery(credentialsQuery)
  return (
    <section>
      <h2>Credentials</h2>
      <p className="quiet">
        Secrets are stored and never shown. <code>surehand credentials set</code> enters them.
      </p>
      <QueryState
        query={credentials}
        loading="Loading the credentials"
        empty={({ items }) => (items.length === 0 ? <p>No credential is stored.</p> : undefined)}
      >
        {({ items }) => (
          <ul className="list">
            {items.map((one) => (
              <CredentialEntry key={one.id} credential={one} />
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  )
}

function CredentialEntry({ credential }: { readonly credential: Credential }): ReactNode {
  const { id, record, state, consents, problem, updated_at } = credential
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => removeCredential(credential),
    onSuccess: () => client.invalidateQueries(credentialsQuery),
  })
  return (
    <li>
      <UntrustedText>{id}</UntrustedText>{' '}
      <span className="quiet">
        {record === null ? '' : `${record.kind} for ${record.origins.join(', ')}`}
        {record?.hint?.lastFour === undefined ? '' : `, ends with ${record.hint.lastFour}`}, set{' '}
        <Time at={updated_at} />
      </span>{' '}
      {state === 'unreadable' ? <span className="tag bad">unreadable</span> : null}
      {consents.held < consents.needed ? <span className="tag warn">needs a consent</span> : null}
      {problem === undefined ? null : (
        <p className="note bad">
          <UntrustedText>{[problem.reason, ...problem.suggestions].join(' ')}</UntrustedText>
        </p>
      )}
      <ConfirmButton
        name={`Remove ${id}`}
        question="Tools that need it can no longer be called."
        onConfirm={() => remove.mutate()}
      />
      {remove.error === null ? null : <Failure error={remove.error} />}
    </li>
  )
}
