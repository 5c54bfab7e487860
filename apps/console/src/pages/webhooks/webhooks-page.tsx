import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent, ReactNode } from 'react'
import { saveWebhook, webhooksQuery } from '../../api/account-queries.ts'
import { mayChange } from '../../api/client.ts'
import type { Webhook } from '../../api/types.ts'
import type { Column } from '../../ui/data-table.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { Failure } from '../../ui/query-state.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

const COLUMNS: readonly Column<Webhook>[] = [
  {
    name: 'Webhook',
    width: 'minmax(0, 1fr)',
    cell: ({ id, is_enabled, problem }) => (
      <>
        <Link to="/webhooks/$id" params={{ id }}>
          <UntrustedText>{id}</UntrustedText>
        </Link>
        {is_enabled ? null : <span className="tag warn">off</span>}
        {problem === null ? null : <span className="tag bad">unreadable</span>}
      </>
    ),
  },
  {
    name: 'Address',
    width: 'minmax(0, 3fr)',
    cell: ({ url, problem }) => <UntrustedText>{url ?? problem ?? ''}</UntrustedText>,
  },
]

/** Where the ends of calls are posted. */
export function WebhooksPage(): ReactNode {
  const webhooks = useInfiniteQuery(webhooksQuery)
  return (
    <>
      <p>
        <Link to="/people">‹ People and agents</Link>
      </p>
      <h1>Webhooks</h1>
      <p className="quiet">
        A call that names a webhook (<code>Surehand-Notify</code>) is reported there when it has
        ended: its id, its tool and how it ended, never its result.
      </p>
      <div className="short">
        <PagedTable
          label="Webhooks"
          query={webhooks}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          nothing="There is no webhook yet."
        />
      </div>
      {mayChange(webhooks) ? <AddWebhook /> : null}
    </>
  )
}

function AddWebhook(): ReactNode {
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const given = new FormData(form)
      const text = (name: string): string => String(given.get(name) ?? '').trim()
      const added = await saveWebhook(text('id'), { url: text('url'), is_enabled: true })
      form.reset()
      return added
    },
    onSettled: () => client.invalidateQueries(webhooksQuery),
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    add.mutate(event.currentTarget)
  }
  return (
    <form className="card" onSubmit={submit}>
      <h2>Add a webhook</h2>
      <label htmlFor="webhook-id">Id: letters, digits, “-” and “_”</label>
      <input id="webhook-id" name="id" required maxLength={64} pattern="[A-Za-z0-9_\-]+" />
      <label htmlFor="webhook-url">Address, as in https://hooks.example/surehand</label>
      <input id="webhook-url" name="url" type="url" required maxLength={2_048} />
      {add.error === null ? null : <Failure error={add.error} />}
      <div className="buttons">
        <button type="submit" className="primary" disabled={add.isPending}>
          Add the webhook
        </button>
      </div>
      {add.data?.secret === undefined ? null : (
        <>
          <p>Messages are signed with this secret, as Standard Webhooks has it.</p>
          <ShownOnce secret={add.data.secret} />
        </>
      )}
    </form>
  )
}
