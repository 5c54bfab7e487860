import type { Caller, Runtime } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import { systemEntropy } from '@surehand/core/ports'
import type { Egress } from '@surehand/egress'
import type { HttpNotifications, NotificationView, TestedChannel } from '@surehand/http'
import type { App } from '../app.ts'
import type { Config } from '../config/read-config.ts'
import type { Keys } from '../keys.ts'
import { newWebhookSecret } from '../webhooks/webhooks-api.ts'
import { createActionLinks } from './action-links.ts'
import {
  type ChannelContext,
  channelName,
  listChannels,
  type Mail,
  openMail,
  sendOn,
} from './channels.ts'
import { startNotifications } from './deliver-notifications.ts'
import { composeMessage, testMessage } from './message.ts'
import { createPeople, type PeopleOptions } from './people.ts'
import { addDevice, applyForm, type StoredSettings } from './settings.ts'
import { derivePushKeys } from './web-push.ts'

export type NotificationsOptions = PeopleOptions & {
  readonly config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'slackToken' | 'slackUrl'>
  readonly keys: Pick<Keys, 'installation' | 'sessions'>
  readonly runtime: { readonly approvals: Pick<Runtime['approvals'], 'mayDecide'> }
  readonly egress: Egress
  readonly publicUrl: string
  readonly onTrouble: (thrown: unknown) => void
}

export type Notifications = HttpNotifications & {
  /** Tells people what waits for them until `close`. */
  readonly start: () => void
  readonly close: () => Promise<void>
}

type NotificationsOf = Pick<NotificationsOptions, 'egress' | 'publicUrl' | 'onTrouble' | 'clock'>

/** The notifications of an app; `publicUrl` is where its pages are. */
export function notificationsOf(
  {
    config,
    keys,
    stores,
    runtime,
    identity,
  }: Pick<App, 'config' | 'keys' | 'stores' | 'runtime' | 'identity'>,
  given: NotificationsOf,
): Notifications {
  const entropy = systemEntropy()
  return createNotifications({
    config,
    keys,
    stores,
    runtime,
    identity,
    entropy,
    home: config.home,
    ...given,
  })
}

/** The settings by which people hear of what waits for them, and the delivery. */
function createNotifications(options: NotificationsOptions): Notifications {
  const { keys, clock, publicUrl } = options
  const links = createActionLinks(keys.sessions)
  const pushKeys = derivePushKeys(keys.installation)
  const people = createPeople(options)
  let mail: Promise<Mail> | undefined
  let stop: (() => Promise<void>) | undefined

  async function openChannels(): Promise<ChannelContext> {
    const { smtpUrl, mailFrom, slackToken, slackUrl } = options.config
    if (smtpUrl !== undefined)
      mail ??= openMail(smtpUrl, mailFrom ?? `surehand@${new URL(publicUrl).hostname}`)
    return {
      egress: options.egress,
      clock,
      pushKeys,
      subject: publicUrl,
      mail: await mail,
      slack: slackToken === undefined ? undefined : { token: slackToken, url: slackUrl },
    }
  }

  return {
    pushKey: pushKeys.publicKey.toString('base64url'),
    get: async (caller) => viewSettings((await people.read(caller)).settings),
    async set(caller, form) {
      const { before, after } = await people.change(caller, (settings) =>
        applyForm(settings, form, newWebhookSecret),
      )
      const secret = after.webhook?.secret
      const isNew = secret !== undefined && secret !== before.webhook?.secret
      return { ...viewSettings(after), ...(isNew ? { webhook_secret: secret } : {}) }
    },
    async subscribe(caller, device) {
      const id = sha256(device.endpoint).slice(0, 16)
      const { after } = await people.change(caller, (settings) =>
        addDevice(settings, { ...device, id }),
      )
      return viewSettings(after)
    },
    async unsubscribe(caller, id) {
      const { after } = await people.change(caller, (settings) => withoutDevice(settings, id))
      return viewSettings(after)
    },
    test: async (caller) =>
      sendTest(caller, (await people.read(caller)).settings, await openChannels(), options),
    readAction: (text) => links.read(text, clock.now()),
    start() {
      stop ??= startNotifications({
        ...people.source,
        values: options.stores.values,
        clock,
        random: options.entropy.random,
        channels: openChannels,
        onTrouble: options.onTrouble,
        mayDecide: options.runtime.approvals.mayDecide,
        compose: (waiting, recipient) => composeMessage(waiting, recipient, { links, publicUrl }),
        onGone: async ({ caller }, channel) => {
          if (channel.kind !== 'push') return
          const { id } = channel.device
          await people.change(caller, (settings) => withoutDevice(settings, id))
        },
      })
    },
    async close() {
      await stop?.()
      const opened = await mail?.catch(() => undefined)
      opened?.close()
    },
  }
}

async function sendTest(
  { tenant }: Caller,
  settings: StoredSettings,
  channels: ChannelContext,
  options: NotificationsOptions,
): Promise<readonly TestedChannel[]> {
  const message = testMessage(options)
  return Promise.all(
    listChannels(settings).map(async (channel) => {
      const sent = await sendOn(channel, message, tenant, channels)
      const trouble = sent.kind === 'sent' ? {} : { trouble: sent.trouble }
      return { channel: channelName(channel), sent: sent.kind === 'sent', ...trouble }
    }),
  )
}

function withoutDevice(settings: StoredSettings, id: string): StoredSettings {
  return { ...settings, devices: settings.devices.filter((device) => device.id !== id) }
}

/** Everything but the secrets. */
function viewSettings(settings: StoredSettings): NotificationView {
  const { email, slack, webhook, devices, requests, action_links } = settings
  return {
    email: email ?? null,
    slack: slack === undefined ? null : 'user' in slack ? slack.user : hostOf(slack.webhook_url),
    webhook_url: webhook?.url ?? null,
    devices: devices.map(({ id, name, endpoint }) => ({ id, name, service: hostOf(endpoint) })),
    requests,
    action_links,
  }
}

// The address of an incoming webhook is its password.
function hostOf(url: string): string {
  return new URL(url).host
}
