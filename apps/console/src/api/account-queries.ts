import { queryOptions } from '@tanstack/react-query'
import { deleteData, getData, postData, putData } from './client.ts'
import { pages } from './queries.ts'
import type { OpenSession, Webhook, WebhookDelivery } from './types.ts'

/** The open sessions of a person; without one, those of the person who looks. */
export function sessionsQuery(principal?: string) {
  return pages<OpenSession>('sessions', 'v1/sessions', { principal })
}

const ofPerson = (principal: string | undefined): string =>
  principal === undefined ? '' : `?principal=${encodeURIComponent(principal)}`

export const endSession = (id: string, principal?: string): Promise<void> =>
  deleteData(`v1/sessions/${encodeURIComponent(id)}${ofPerson(principal)}`)

/** All but the session of this page. */
export const endOtherSessions = (principal?: string): Promise<void> =>
  deleteData(`v1/sessions${ofPerson(principal)}`)

/** How the person is notified, without secrets. */
export type NotificationSettings = {
  readonly email: string | null
  /** The user, or the host of the incoming webhook. */
  readonly slack: string | null
  readonly webhook_url: string | null
  readonly devices: readonly {
    readonly id: string
    readonly name: string
    readonly service: string
  }[]
  readonly requests: 'mine' | 'all'
  readonly action_links: boolean
  /** Only in the answer to the change that made it. */
  readonly webhook_secret?: string
}

/** Null removes a channel; what is left out stays as it is. */
export type NotificationChange = {
  readonly email?: string | null
  readonly slack?: { readonly user: string } | { readonly webhook_url: string } | null
  readonly webhook_url?: string | null
  readonly requests?: 'mine' | 'all'
  readonly action_links?: boolean
}

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => getData<NotificationSettings>('v1/notifications'),
})

export const changeNotifications = (change: NotificationChange): Promise<NotificationSettings> =>
  putData('v1/notifications', change)

export const removeDevice = (id: string): Promise<void> =>
  deleteData(`v1/notifications/devices/${encodeURIComponent(id)}`)

export type TestedChannels = {
  readonly channels: readonly {
    readonly channel: string
    readonly sent: boolean
    readonly trouble?: string
  }[]
}

export const testNotifications = (): Promise<TestedChannels> =>
  postData('v1/notifications/test', {})

export const webhooksQuery = pages<Webhook>('webhooks', 'v1/webhooks')

export type WebhookForm = {
  readonly url: string
  readonly is_enabled: boolean
  readonly new_secret?: boolean
}

/** The secret is only in the answer to the change that made it. */
export type ChangedWebhook = Webhook & { readonly secret?: string }

const webhookPath = (id: string): string => `v1/webhooks/${encodeURIComponent(id)}`

/** Creates a webhook, or changes the one of this version. */
export const saveWebhook = (
  id: string,
  form: WebhookForm,
  version?: number,
): Promise<ChangedWebhook> => putData(webhookPath(id), form, version)

export const removeWebhook = ({ id, version }: Webhook): Promise<void> =>
  deleteData(webhookPath(id), version)

export type TestedWebhook = {
  readonly sent: boolean
  readonly status: number | null
  readonly trouble: string | null
}

export const testWebhook = (id: string): Promise<TestedWebhook> =>
  postData(`${webhookPath(id)}/test`, {})

export function deliveriesQuery(id: string) {
  return pages<WebhookDelivery>(`deliveries of ${id}`, `${webhookPath(id)}/deliveries`)
}
