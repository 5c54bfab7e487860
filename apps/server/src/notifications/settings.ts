import { type NotificationForm, pushSubscription, SETTING_FIELDS } from '@surehand/http'
import { z } from 'zod'

const MOST_DEVICES = 20

/** The settings of a person, as they are stored (encrypted). */
export const storedSettings = () =>
  z.object({
    email: SETTING_FIELDS.email().exactOptional(),
    slack: SETTING_FIELDS.slack().exactOptional(),
    webhook: z.object({ url: SETTING_FIELDS.webhookUrl(), secret: z.string() }).exactOptional(),
    devices: z
      .array(pushSubscription().extend({ id: z.string() }))
      .max(MOST_DEVICES)
      .default([]),
    requests: SETTING_FIELDS.requests().default('mine'),
    action_links: SETTING_FIELDS.actionLinks().default(false),
  })
export type StoredSettings = z.infer<ReturnType<typeof storedSettings>>

export const NO_SETTINGS: StoredSettings = { devices: [], requests: 'mine', action_links: false }

/** The stored settings with the changes of a form; `newSecret` signs a webhook that is new. */
export function applyForm(
  { email, slack: slackBefore, webhook, ...before }: StoredSettings,
  form: NotificationForm,
  newSecret: () => string,
): StoredSettings {
  const chosenEmail = form.email === undefined ? email : (form.email ?? undefined)
  const chosenSlack = form.slack === undefined ? slackBefore : (form.slack ?? undefined)
  const chosenWebhook = changeWebhook(webhook, form.webhook_url, newSecret)
  return {
    devices: before.devices,
    requests: form.requests ?? before.requests,
    action_links: form.action_links ?? before.action_links,
    ...(chosenEmail === undefined ? {} : { email: chosenEmail }),
    ...(chosenSlack === undefined ? {} : { slack: chosenSlack }),
    ...(chosenWebhook === undefined ? {} : { webhook: chosenWebhook }),
  }
}

function changeWebhook(
  before: StoredSettings['webhook'],
  url: string | null | undefined,
  newSecret: () => string,
): StoredSettings['webhook'] {
  if (url === undefined || url === before?.url) return before
  return url === null ? undefined : { url, secret: newSecret() }
}

/** The newest devices stay where there are too many. */
export function addDevice(
  settings: StoredSettings,
  device: StoredSettings['devices'][number],
): StoredSettings {
  const others = settings.devices.filter(({ endpoint }) => endpoint !== device.endpoint)
  return { ...settings, devices: [...others, device].slice(-MOST_DEVICES) }
}
