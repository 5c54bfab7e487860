import type { Caller } from '@surehand/core'
import { z } from 'zod'

const webAddress = () =>
  z
    .url({ protocol: /^https?$/, error: 'is not an http(s) address, as in https://hooks.example' })
    .max(2_048)
const mailAddress = () => z.email({ error: 'is not an e-mail address' }).max(254)

/** A browser that receives pushes, as `PushManager.subscribe` returns it. */
export const pushSubscription = () =>
  z.object({
    endpoint: webAddress(),
    keys: z.object({
      p256dh: z.string().regex(/^[\w-]{80,96}={0,2}$/, 'is not a public key of P-256'),
      auth: z.string().regex(/^[\w-]{20,32}={0,2}$/, 'is not the secret of a subscription'),
    }),
    name: z
      .string()
      .trim()
      .min(1)
      .max(80)
      .default('Browser')
      .describe('What the device is called.'),
  })
export type PushSubscription = z.infer<ReturnType<typeof pushSubscription>>

const slackTarget = () =>
  z.union(
    [
      z.strictObject({ webhook_url: webAddress() }),
      z.strictObject({ user: z.string().regex(/^[UWCD][A-Z0-9]{6,20}$/) }),
    ],
    { error: 'needs the webhook_url of an incoming webhook, or a user such as U024BE7LH' },
  )

/** The parts of the settings, as they are set and as they are stored. */
export const SETTING_FIELDS = {
  email: mailAddress,
  slack: slackTarget,
  webhookUrl: webAddress,
  requests: () =>
    z
      .enum(['mine', 'all'])
      .describe(
        "mine: my own requests, and those that need an approver like me. all: everyone's, for approvers.",
      ),
  actionLinks: () =>
    z
      .boolean()
      .describe(
        'Whether messages hold a link that denies, or approves what can be undone, without signing in.',
      ),
}

/** What a person sets; null removes a channel, and what is left out stays as it is. */
export const notificationForm = () =>
  z.strictObject({
    email: SETTING_FIELDS.email().nullable().exactOptional(),
    slack: SETTING_FIELDS.slack().nullable().exactOptional(),
    webhook_url: SETTING_FIELDS.webhookUrl().nullable().exactOptional(),
    requests: SETTING_FIELDS.requests().exactOptional(),
    action_links: SETTING_FIELDS.actionLinks().exactOptional(),
  })
export type NotificationForm = z.infer<ReturnType<typeof notificationForm>>

/** The settings without their secrets. */
export const notificationView = () =>
  z.object({
    email: z.string().nullable(),
    slack: z.string().nullable().describe('The user, or the host of the incoming webhook.'),
    webhook_url: z.string().nullable(),
    devices: z.array(z.object({ id: z.string(), name: z.string(), service: z.string() })),
    requests: SETTING_FIELDS.requests(),
    action_links: SETTING_FIELDS.actionLinks(),
    webhook_secret: z
      .string()
      .exactOptional()
      .describe('Signs the messages to the webhook. It is shown only when the webhook is set.'),
  })
export type NotificationView = z.infer<ReturnType<typeof notificationView>>

/** What became of a test message on one channel. */
export type TestedChannel = {
  readonly channel: string
  readonly sent: boolean
  readonly trouble?: string
}

/** How people hear of what waits for them. */
export type HttpNotifications = {
  /** The public key that browsers subscribe with (VAPID). */
  readonly pushKey: string
  readonly get: (caller: Caller) => Promise<NotificationView>
  readonly set: (caller: Caller, form: NotificationForm) => Promise<NotificationView>
  readonly subscribe: (caller: Caller, device: PushSubscription) => Promise<NotificationView>
  readonly unsubscribe: (caller: Caller, id: string) => Promise<NotificationView>
  /** Sends a test message to every channel of the caller. */
  readonly test: (caller: Caller) => Promise<readonly TestedChannel[]>
  /** What a link in a message may decide; undefined: it is not valid, or no longer. */
  readonly readAction: (link: string) => LinkedAction | undefined
}

/** What a link in a message lets its receiver decide. */
export type LinkedAction = {
  readonly tenant: string
  readonly approval: string
  readonly principal: string
  /** Of what was shown: an edited request is another one. */
  readonly digest: string
}
