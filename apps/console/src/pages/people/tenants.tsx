import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import {
  type Listed,
  saveTenant,
  type Tenant,
  tenantsQuery,
} from '../../api/administration-queries.ts'
import { ApiError } from '../../api/client.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

/** The tenants of the installation. The server lists them for administrators of the home tenant. */
export function Tenants(): ReactNode {
  const tenants = useInfiniteQuery(tenantsQuery)
  if (tenants.error instanceof ApiError && tenants.error.status === 403) return null
  return (
    <section>
      <h2>Tenants</h2>
      <QueryState
        query={tenants}
        loading="Loading the tenants"
        empty={({ pages }) =>
          pages[0]?.items.length === 0 ? <p>There is only your own tenant.</p> : undefined
        }
      >
        {({ pages }) => (
          <ul className="list">
            {pages
              .flatMap(({ items }) => items)
              .map((tenant) => (
                <TenantEntry key={tenant.id} tenant={tenant} />
              ))}
          </ul>
        )}
      </QueryState>
      <MoreButton query={tenants} />
      <NewTenant />
    </section>
  )
}

function TenantEntry({ tenant }: { readonly tenant: Listed<Tenant> }): ReactNode {
  const { id, record, version } = tenant
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: () => saveTenant(id, { ...record, disabled: !record.disabled }, version),
    onSettled: () => client.invalidateQueries(tenantsQuery),
  })
  return (
    <li>
      <strong>
        <UntrustedText>{id}</UntrustedText>
      </strong>{' '}
      <UntrustedText>{record.name ?? ''}</UntrustedText>{' '}
      {record.disabled ? <span className="tag bad">disabled</span> : null}
      <ConfirmButton
        name={`${record.disabled ? 'Enable' : 'Disable'} ${id}`}
        question={
          record.disabled
            ? 'Its people and agents can call tools again.'
            : 'Its people and agents are refused within a second. Nothing is deleted.'
        }
        onConfirm={() => change.mutate()}
      />
      {change.error === null ? null : <Failure error={change.error} />}
    </li>
  )
}

function NewTenant(): ReactNode {
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const given = new FormData(form)
      const name = String(given.get('name') ?? '').trim()
      await saveTenant(String(given.get('id') ?? '').trim(), { name, disabled: false })
      form.reset()
    },
    onSettled: () => client.invalidateQueries(tenantsQuery),
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    create.mutate(event.currentTarget)
  }
  return (
    <form className="card" onSubmit={submit}>
      <h3>Add a tenant</h3>
      <label htmlFor="tenant-id">Id</label>
      <input id="tenant-id" name="id" required maxLength={128} />
      <label htmlFor="tenant-name">Name of the tenant</label>
      <input id="tenant-name" name="name" required maxLength={200} />
      {create.error === null ? null : <Failure error={create.error} />}
      <div className="buttons">
        <button type="submit" disabled={create.isPending}>
          Add the tenant
        </button>
      </div>
    </form>
  )
}
