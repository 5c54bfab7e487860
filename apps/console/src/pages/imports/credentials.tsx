import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { mayChange } from '../../api/client.ts'
import {
  type Credential,
  consentUrl,
  credentialsQuery,
  removeCredential,
} from '../../api/import-queries.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { EnterCredential } from './credential-form.tsx'

/** The credentials of imported tools. A secret is entered here and never shown again. */
export function Credentials(): ReactNode {
  const credentials = useQuery(credentialsQuery)
  return (
    <section>
      <h2>Credentials</h2>
      <p className="quiet">
        A secret is encrypted when it is stored, and never shown again. Variables of mounted
        commands are entered with <code>surehand credentials set</code>.
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
      {mayChange(credentials) ? <EnterCredential /> : null}
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
        <UntrustedText>{describeRecord(record)}</UntrustedText>, set <Time at={updated_at} />
      </span>{' '}
      {state === 'unreadable' ? <span className="tag bad">unreadable</span> : null}
      {consents.held < consents.needed ? <span className="tag warn">needs a consent</span> : null}
      {record?.kind === 'authorizationCode' ? <a href={consentUrl(id)}>Let tools use it</a> : null}
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

function describeRecord(record: Credential['record']): string {
  if (record === null) return ''
  const { kind, origins, hint } = record
  const ending = hint?.lastFour === undefined ? '' : `, ends with ${hint.lastFour}`
  return `${kind} for ${origins.join(', ')}${ending}`
}
