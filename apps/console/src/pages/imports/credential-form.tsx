import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import {
  type CredentialForm,
  consentUrl,
  credentialsQuery,
  putCredential,
} from '../../api/import-queries.ts'
import { readText } from '../../ui/filter-form.tsx'
import { Failure } from '../../ui/query-state.tsx'

type Field = {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'url' | 'secret' | 'words' | readonly (readonly [string, string])[]
  readonly isOptional?: true
}

const CLIENT: readonly Field[] = [
  { name: 'clientId', label: 'Client id', kind: 'text' },
  { name: 'tokenUrl', label: 'Address that issues tokens', kind: 'url' },
  {
    name: 'scopes',
    label: 'Scopes, separated by spaces (optional)',
    kind: 'words',
    isOptional: true,
  },
]
const CLIENT_AUTH: Field = {
  name: 'auth',
  label: 'How the client secret is sent',
  kind: [
    ['basic', 'in a header'],
    ['post', 'in the body'],
  ],
}

type Kind = { readonly name: string; readonly fields: readonly Field[] }

// As the API takes them (PUT /v1/credentials/{id}).
const KINDS: Readonly<Record<string, Kind>> = {
  bearer: { name: 'bearer token', fields: [{ name: 'token', label: 'Token', kind: 'secret' }] },
  apiKey: { name: 'API key', fields: [{ name: 'value', label: 'Key', kind: 'secret' }] },
  basic: {
    name: 'user name and password',
    fields: [
      { name: 'username', label: 'User name', kind: 'text', isOptional: true },
      { name: 'password', label: 'Password', kind: 'secret', isOptional: true },
    ],
  },
  clientCredentials: {
    name: 'OAuth: this server itself',
    fields: [
      ...CLIENT,
      { name: 'clientSecret', label: 'Client secret', kind: 'secret' },
      { name: 'audience', label: 'Audience (optional)', kind: 'text', isOptional: true },
      CLIENT_AUTH,
    ],
  },
  authorizationCode: {
    name: 'OAuth: a person consents',
    fields: [
      ...CLIENT,
      { name: 'authorizeUrl', label: 'Address where people consent', kind: 'url' },
      {
        name: 'clientSecret',
        label: 'Client secret (none for a public client)',
        kind: 'secret',
        isOptional: true,
      },
      CLIENT_AUTH,
      {
        name: 'for',
        label: 'Who consents',
        kind: [
          ['principal', 'each person for themselves'],
          ['tenant', 'an administrator for everyone'],
        ],
      },
    ],
  },
  aws: {
    name: 'AWS: requests are signed',
    fields: [
      { name: 'accessKeyId', label: 'Access key id', kind: 'secret' },
      { name: 'secretAccessKey', label: 'Secret access key', kind: 'secret' },
      {
        name: 'sessionToken',
        label: 'Session token (of temporary keys)',
        kind: 'secret',
        isOptional: true,
      },
      { name: 'region', label: 'Region, as in eu-west-1', kind: 'text' },
      { name: 'service', label: 'Service (optional)', kind: 'text', isOptional: true },
    ],
  },
}

/** Enters a credential of any kind. Its secrets leave the page with the request that stores them. */
export function EnterCredential(): ReactNode {
  const client = useQueryClient()
  const [kind, setKind] = useState('bearer')
  const enter = useMutation({
    mutationFn: async (element: HTMLFormElement) => {
      const form = new FormData(element)
      const id = readText(form, 'id') ?? ''
      // The one of this name is replaced, in the version that is shown above.
      const stored = client.getQueryData(credentialsQuery.queryKey)?.items
      const version = stored?.find((one) => one.id === id)?.version
      const entered = await putCredential(id, readForm(form, kind), version)
      element.reset()
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
      <select id="credential-kind" value={kind} onChange={({ target }) => setKind(target.value)}>
        {Object.entries(KINDS).map(([value, { name }]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <label htmlFor="credential-origins">Where it may be sent, one origin in each line</label>
      <textarea
        id="credential-origins"
        name="origins"
        required
        rows={2}
        placeholder="https://api.github.com"
      />
      {(KINDS[kind]?.fields ?? []).map((field) => (
        <FieldInput key={`${kind} ${field.name}`} field={field} />
      ))}
      {enter.error === null ? null : <Failure error={enter.error} />}
      <div className="buttons">
        <button type="submit" className="primary" disabled={enter.isPending}>
          Store it
        </button>
      </div>
      <p className={enter.data === undefined ? 'hidden' : 'note good'} role="status">
        {enter.data === undefined ? '' : 'Stored. It is not shown again. '}
        {enter.data?.record?.kind === 'authorizationCode' ? (
          <a href={consentUrl(enter.data.id)}>Let tools use it</a>
        ) : null}
      </p>
    </form>
  )
}

function FieldInput({ field: { name, label, kind, isOptional } }: { readonly field: Field }) {
  const id = useId()
  const required = isOptional !== true
  return (
    <>
      <label htmlFor={id}>{label}</label>
      {typeof kind === 'object' ? (
        <select id={id} name={name}>
          {kind.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      ) : kind === 'secret' ? (
        <input
          id={id}
          name={name}
          type="password"
          autoComplete="new-password"
          required={required}
        />
      ) : (
        <input id={id} name={name} type={kind === 'url' ? 'url' : 'text'} required={required} />
      )}
    </>
  )
}

function readForm(form: FormData, kind: string): CredentialForm {
  const fields = (KINDS[kind]?.fields ?? []).flatMap((field) => {
    // A secret is sent as it was entered.
    const value =
      field.kind === 'secret' ? String(form.get(field.name) ?? '') : readText(form, field.name)
    // The API wants both of them, of which one may be empty.
    if (kind === 'basic') return [[field.name, value ?? '']]
    if (value === undefined || value === '') return []
    return [[field.name, field.kind === 'words' ? splitWords(value) : value]]
  })
  const origins = splitWords(readText(form, 'origins') ?? '')
  return { kind, origins, ...Object.fromEntries(fields) }
}

function splitWords(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean)
}
