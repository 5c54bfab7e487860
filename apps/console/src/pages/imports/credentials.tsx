import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import {
  type Credential,
  type CredentialForm,
  credentialsQuery,
  putCredential,
  removeCredential,
} from '../../api/import-queries.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

/** The credentials of imported tools. A secret is entered here and never shown again. */
export function Credentials(): ReactNode {
  const credentials = useQuery(credentialsQuery)
  return (
    <section>
      <h2>Credentials</h2>
      <p className="quiet">
        A secret is encrypted when it is stored, and never shown again. Keys of OAuth and of AWS are
        entered with <code>surehand credentials set</code>.
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
      <EnterCredential />
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

const SECRETS = { bearer: 'Token', apiKey: 'Key', basic: 'Password' } as const
type Kind = keyof typeof SECRETS

function EnterCredential(): ReactNode {
  const client = useQueryClient()
  const [kind, setKind] = useState<Kind>('bearer')
  const enter = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const { id, credential } = readForm(new FormData(form), kind)
      // The one of this name is replaced, in the version that is shown above.
      const stored = client.getQueryData(credentialsQuery.queryKey)?.items
      const entered = await putCredential(
        id,
        credential,
        stored?.find((one) => one.id === id)?.version,
      )
      form.reset()
      return entered
    },
    onSettled: () => client.invalidateQueries(credentialsQuery),
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    enter.mutate(event.currentTarget)
  }
  return (
    <form className="card" onSubmit={submit} autoComplete="off">
      <h3>Enter a credential</h3>
      <label htmlFor="credential-id">Name, as the import asks for it</label>
      <input
        id="credential-id"
        name="id"
        required
        maxLength={200}
        placeholder="github.bearerAuth"
      />
      <label htmlFor="credential-kind">Kind</label>
      <select
        id="credential-kind"
        value={kind}
        onChange={({ target }) => setKind(target.value as Kind)}
      >
        <option value="bearer">bearer token</option>
        <option value="apiKey">API key</option>
        <option value="basic">user name and password</option>
      </select>
      <label htmlFor="credential-origins">Where it may be sent, one origin in each line</label>
      <textarea
        id="credential-origins"
        name="origins"
        required
        rows={2}
        placeholder="https://api.github.com"
      />
      {kind === 'basic' ? (
        <>
          <label htmlFor="credential-user">User name</label>
          <input id="credential-user" name="username" maxLength={200} />
        </>
      ) : null}
      <label htmlFor="credential-secret">{SECRETS[kind]}</label>
      <input
        id="credential-secret"
        name="secret"
        type="password"
        autoComplete="new-password"
        required={kind !== 'basic'}
      />
      {enter.error === null ? null : <Failure error={enter.error} />}
      <div className="buttons">
        <button type="submit" className="primary" disabled={enter.isPending}>
          Store it
        </button>
      </div>
      <p className={enter.data === undefined ? 'hidden' : 'note good'} role="status">
        {enter.data === undefined ? '' : 'Stored. It is not shown again.'}
      </p>
    </form>
  )
}

function readForm(
  form: FormData,
  kind: Kind,
): { readonly id: string; readonly credential: CredentialForm } {
  const text = (name: string): string => String(form.get(name) ?? '').trim()
  const origins = text('origins').split(/\s+/).filter(Boolean)
  // A secret is sent as it was entered.
  const secret = String(form.get('secret') ?? '')
  const secrets = {
    bearer: { token: secret },
    apiKey: { value: secret },
    basic: { username: text('username'), password: secret },
  }
  return { id: text('id'), credential: { kind, origins, ...secrets[kind] } }
}
