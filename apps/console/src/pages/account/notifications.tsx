import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import {
  changeNotifications,
  type NotificationChange,
  type NotificationSettings,
  notificationsQuery,
  removeDevice,
  testNotifications,
} from '../../api/account-queries.ts'
import { serverUrl } from '../../mount.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ChannelForm } from './channel-form.tsx'

/** Where the person is notified of what waits for them. */
export function Notifications(): ReactNode {
  const settings = useQuery(notificationsQuery)
  return (
    <section>
      <h2>How you are notified</h2>
      <p className="quiet">
        For approval requests and questions that wait for you, and for requests that were delegated
        to you.
      </p>
      <QueryState query={settings} loading="Loading how you are notified">
        {(current) => <Settings settings={current} />}
      </QueryState>
    </section>
  )
}

function Settings({ settings }: { readonly settings: NotificationSettings }): ReactNode {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries(notificationsQuery)
  const change = useMutation({ mutationFn: changeNotifications, onSuccess: refresh })
  const remove = useMutation({ mutationFn: removeDevice, onSettled: refresh })
  const { email, slack, webhook_url, devices } = settings
  const hasChannel = [email, slack, webhook_url].some((one) => one !== null) || devices.length > 0
  return (
    <>
      {hasChannel ? null : <p className="state">You are not notified yet: set a channel below.</p>}
      <Channels settings={settings} onChange={change.mutate} isSaving={change.isPending} />
      {change.error === null ? null : <Failure error={change.error} />}
      {change.data?.webhook_secret === undefined ? null : (
        <>
          <p>Messages to your webhook are signed with this secret.</p>
          <ShownOnce secret={change.data.webhook_secret} />
        </>
      )}
      <h3>Browsers</h3>
      <Devices devices={devices} onRemove={remove.mutate} />
      {remove.error === null ? null : <Failure error={remove.error} />}
      <p>
        <a href={serverUrl('notifications')}>Add this browser</a>
      </p>
      <Preferences settings={settings} onChange={change.mutate} />
      <Test isPossible={hasChannel} />
    </>
  )
}

type DevicesProps = {
  readonly devices: NotificationSettings['devices']
  readonly onRemove: (id: string) => void
}

function Devices({ devices, onRemove }: DevicesProps): ReactNode {
  if (devices.length === 0) return <p className="quiet">No browser receives pushes.</p>
  return (
    <ul className="list">
      {devices.map(({ id, name, service }) => (
        <li key={id}>
          <UntrustedText>{name}</UntrustedText>{' '}
          <span className="quiet">
            by <UntrustedText>{service}</UntrustedText>
          </span>
          <ConfirmButton
            name={`Remove ${name}`}
            question="It receives no pushes any more."
            onConfirm={() => onRemove(id)}
          />
        </li>
      ))}
    </ul>
  )
}

type SettingsProps = {
  readonly settings: NotificationSettings
  readonly onChange: (change: NotificationChange) => void
}

type ChannelsProps = SettingsProps & { readonly isSaving: boolean }

function Channels({ settings, onChange, isSaving }: ChannelsProps): ReactNode {
  const { email, slack, webhook_url } = settings
  return (
    <>
      <ChannelForm
        name="E-mail"
        current={email}
        hint="An address, as in ann@example.com"
        isSaving={isSaving}
        onSave={(value) => onChange({ email: value })}
      />
      <ChannelForm
        name="Slack"
        current={slack}
        hint="Your Slack user, as in U024BE7LH, or the address of an incoming webhook"
        isSaving={isSaving}
        onSave={(value) => onChange({ slack: value === null ? null : readSlack(value) })}
      />
      <ChannelForm
        name="Webhook"
        current={webhook_url}
        hint="An address of your own, as in https://hooks.example"
        isSaving={isSaving}
        onSave={(value) => onChange({ webhook_url: value })}
      />
    </>
  )
}

function readSlack(value: string): NonNullable<NotificationChange['slack']> {
  return /^https?:/.test(value) ? { webhook_url: value } : { user: value }
}

function Preferences({ settings, onChange }: SettingsProps): ReactNode {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    onChange({
      requests: given.get('requests') === 'all' ? 'all' : 'mine',
      action_links: given.get('action_links') === 'on',
    })
  }
  const { requests, action_links } = settings
  return (
    // The fields have the stored values again whenever these change.
    <form className="card" key={`${requests} ${action_links}`} onSubmit={submit}>
      <h3>What you hear of</h3>
      <label htmlFor="notify-requests">Approval requests</label>
      <select id="notify-requests" name="requests" defaultValue={requests}>
        <option value="mine">mine, and those that need an approver like me</option>
        <option value="all">all that I may decide</option>
      </select>
      <label className="choice">
        <input type="checkbox" name="action_links" defaultChecked={action_links} />
        Messages hold a link that denies, or approves what can be undone, without signing in
      </label>
      <div className="buttons">
        <button type="submit">Save what you hear of</button>
      </div>
    </form>
  )
}

function Test({ isPossible }: { readonly isPossible: boolean }): ReactNode {
  const test = useMutation({ mutationFn: testNotifications })
  return (
    <>
      <div className="buttons">
        <button
          type="button"
          disabled={!isPossible || test.isPending}
          onClick={() => test.mutate()}
        >
          Send a test to every channel
        </button>
      </div>
      {test.error === null ? null : <Failure error={test.error} />}
      {test.data === undefined ? null : (
        <ul className="list" aria-label="What became of the test">
          {test.data.channels.map(({ channel, sent, trouble }) => (
            <li key={channel}>
              <UntrustedText>{channel}</UntrustedText>{' '}
              <span className={sent ? 'tag good' : 'tag bad'}>{sent ? 'sent' : 'not sent'}</span>{' '}
              {trouble === undefined ? null : <UntrustedText>{trouble}</UntrustedText>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
