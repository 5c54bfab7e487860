import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import {
  removeWebhook,
  saveWebhook,
  testWebhook,
  type WebhookForm,
  webhooksQuery,
} from '../../api/account-queries.ts'
import type { Webhook } from '../../api/types.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { Deliveries } from './deliveries.tsx'

/** One webhook: where it leads, whether it is on, a test, and its deliveries. */
export function WebhookPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const webhooks = useInfiniteQuery(webhooksQuery)
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = webhooks
  const found = data?.pages.flatMap(({ items }) => items).find((one) => one.id === id)
  // The list is the only place that it is read from: it is read on until the webhook is found.
  useEffect(() => {
    if (found === undefined && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [found, hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <>
      <p>
        <Link to="/webhooks">‹ Webhooks</Link>
      </p>
      <h1>
        <UntrustedText>{id}</UntrustedText>
      </h1>
      <QueryState
        query={webhooks}
        loading="Loading the webhook"
        empty={() =>
          found === undefined && !hasNextPage ? <p>There is no such webhook.</p> : undefined
        }
      >
        {() =>
          found === undefined ? null : (
            <>
              <WebhookEditor webhook={found} />
              <Deliveries id={found.id} />
            </>
          )
        }
      </QueryState>
    </>
  )
}

function WebhookEditor({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { id, version, url, is_enabled, problem } = webhook
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: (change: Partial<WebhookForm>) =>
      saveWebhook(id, { url: url ?? '', is_enabled, ...change }, version),
    onSettled: () => client.invalidateQueries(webhooksQuery),
  })
  const remove = useMutation({
    mutationFn: () => removeWebhook(webhook),
    onSuccess: async () => {
      await client.invalidateQueries(webhooksQuery)
      await navigate({ to: '/webhooks' })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    save.mutate({ url: String(new FormData(event.currentTarget).get('url') ?? '').trim() })
  }
  return (
    <>
      <p>
        <UntrustedText>{url ?? ''}</UntrustedText>{' '}
        <span className={is_enabled ? 'tag good' : 'tag warn'}>{is_enabled ? 'on' : 'off'}</span>
      </p>
      {problem === null ? null : (
        <p className="note bad">
          <UntrustedText>{problem}</UntrustedText>
        </p>
      )}
      <form className="card" key={version} onSubmit={submit}>
        <label htmlFor="webhook-url">Address</label>
        <input
          id="webhook-url"
          name="url"
          type="url"
          required
          maxLength={2_048}
          defaultValue={url ?? ''}
        />
        <div className="buttons">
          <button type="submit" disabled={save.isPending}>
            Change the address
          </button>
        </div>
      </form>
      <div className="buttons">
        {is_enabled ? (
          <ConfirmButton
            name="Switch it off"
            question="Nothing is sent while it is off. What is due waits, for about a day and a half at most."
            onConfirm={() => save.mutate({ is_enabled: false })}
          />
        ) : (
          <button type="button" onClick={() => save.mutate({ is_enabled: true })}>
            Switch it on
          </button>
        )}
        <ConfirmButton
          name="Make a new secret"
          question="Messages are signed with the new secret from now on. The receiver needs it."
          onConfirm={() => save.mutate({ new_secret: true })}
        />
        <ConfirmButton
          name={`Remove ${id}`}
          question="Calls cannot name it any more. What waits to be delivered is not sent."
          onConfirm={() => remove.mutate()}
        />
      </div>
      {save.error === null ? null : <Failure error={save.error} />}
      {remove.error === null ? null : <Failure error={remove.error} />}
      {save.data?.secret === undefined ? null : <ShownOnce secret={save.data.secret} />}
      <Test id={id} />
    </>
  )
}

function Test({ id }: { readonly id: string }): ReactNode {
  const test = useMutation({ mutationFn: () => testWebhook(id) })
  return (
    <>
      <div className="buttons">
        <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </button>
      </div>
      {test.error === null ? null : <Failure error={test.error} />}
      {test.data === undefined ? null : (
        <p className={test.data.sent ? 'note good' : 'note bad'} role="status">
          {test.data.sent ? 'The test arrived: ' : 'The test did not arrive: '}
          <UntrustedText>{test.data.trouble ?? `status ${test.data.status}`}</UntrustedText>
        </p>
      )}
    </>
  )
}
