import { toToolError } from '@surehand/core/internal'
import type { Clock } from '@surehand/core/ports'
import type { Egress, EgressResponse } from '@surehand/egress'
import type { Transporter } from 'nodemailer'
import { signWebhook } from '../webhooks/deliver.ts'
import type { StoredSettings } from './settings.ts'
import { encryptPush, type PushKeys, vapidAuthorization } from './web-push.ts'

/** What a person is told: one thing that waits for them, or a test. */
export type Message = {
  /** The same in every attempt, so that a receiver recognises a repeat. */
  readonly id: string
  readonly type: 'approval.waiting' | 'question.waiting' | 'test'
  readonly headline: string
  /** Further sentences: who asks, until when, what cannot be undone. */
  readonly lines: readonly string[]
  readonly url: string
  /** Where the person can decide without signing in, if they want such links. */
  readonly actionUrl?: string
  readonly data: Readonly<Record<string, unknown>>
  readonly expiresAt: number
}

/** One way to a person, from their settings. */
export type Channel =
  | { readonly kind: 'email'; readonly address: string }
  | { readonly kind: 'slack'; readonly to: NonNullable<StoredSettings['slack']> }
  | { readonly kind: 'webhook'; readonly to: NonNullable<StoredSettings['webhook']> }
  | { readonly kind: 'push'; readonly device: StoredSettings['devices'][number] }

export function channelName(channel: Channel): string {
  return channel.kind === 'push' ? `push:${channel.device.id}` : channel.kind
}

export function listChannels({
  email,
  slack,
  webhook,
  devices,
}: StoredSettings): readonly Channel[] {
  return [
    ...(email === undefined ? [] : [{ kind: 'email', address: email } as const]),
    ...(slack === undefined ? [] : [{ kind: 'slack', to: slack } as const]),
    ...(webhook === undefined ? [] : [{ kind: 'webhook', to: webhook } as const]),
    ...devices.map((device) => ({ kind: 'push', device }) as const),
  ]
}

export type Sent =
  | { readonly kind: 'sent' }
  | { readonly kind: 'again'; readonly trouble: string }
  /** It will never arrive there: the subscription has ended, the address is refused. */
  | { readonly kind: 'never'; readonly trouble: string }

export type ChannelContext = {
  readonly egress: Egress
  readonly clock: Clock
  readonly pushKeys: PushKeys
  /** Whom push services may write to about this server: its own address. */
  readonly subject: string
  readonly mail: Mail | undefined
  readonly slack: { readonly token: string; readonly url: string } | undefined
}

export type Mail = {
  readonly send: Transporter['sendMail']
  readonly from: string
  readonly close: () => void
}

const TIMEOUT_MS = 10_000

/** Opens the connections to the mail server when the first message is sent. */
export async function openMail(url: string, from: string): Promise<Mail> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { send: transport.sendMail.bind(transport), from, close: () => transport.close() }
}

/** Sends a message once; it never throws. */
export async function sendOn(
  channel: Channel,
  message: Message,
  tenant: string,
  context: ChannelContext,
): Promise<Sent> {
  try {
    switch (channel.kind) {
      case 'email':
        return await sendMail(channel.address, message, context)
      case 'slack':
        return await sendToSlack(channel.to, message, tenant, context)
      case 'webhook':
        return await sendToWebhook(channel.to, message, tenant, context)
      case 'push':
        return await sendPush(channel.device, message, tenant, context)
    }
  } catch (thrown) {
    return { kind: 'again', trouble: toToolError(thrown).message }
  }
}

async function sendMail(
  to: string,
  message: Message,
  { mail, subject }: ChannelContext,
): Promise<Sent> {
  if (mail === undefined)
    return {
      kind: 'never',
      trouble: 'This server sends no e-mail. Its operator sets SUREHAND_SMTP_URL.',
    }
  const { headline, lines, url, actionUrl } = message
  const withoutSignIn =
    actionUrl === undefined
      ? []
      : ['', `Decide without signing in, where that is enough: ${actionUrl}`]
  try {
    await mail.send({
      from: mail.from,
      to: { name: '', address: to },
      subject: headline.replaceAll(/\s+/g, ' ').slice(0, 200),
      text: [headline, '', ...lines, '', `Look at it and decide: ${url}`, ...withoutSignIn].join(
        '\n',
      ),
      messageId: `<${message.id}@${new URL(subject).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': message.id },
    })
    return { kind: 'sent' }
  } catch (thrown) {
    const code = (thrown as { readonly responseCode?: number }).responseCode ?? 0
    // 5xx of SMTP: the server will not accept it later either.
    const trouble =
      code === 0 ? 'The mail server was not reached.' : `The mail server answered ${code}.`
    return { kind: code >= 500 ? 'never' : 'again', trouble }
  }
}

async function sendToSlack(
  to: Extract<Channel, { kind: 'slack' }>['to'],
  message: Message,
  tenant: string,
  { egress, slack }: ChannelContext,
): Promise<Sent> {
  const blocks = slackBlocks(message)
  const text = escapeSlack(message.headline)
  if ('webhook_url' in to) {
    const answer = await postJson(egress, { tenant, url: to.webhook_url, body: { text, blocks } })
    return judgeStatus(answer, 'Slack')
  }
  if (slack === undefined)
    return {
      kind: 'never',
      trouble: 'This server has no Slack token. Its operator sets SUREHAND_SLACK_TOKEN.',
    }
  const slackUrl = new URL(slack.url)
  const answer = await postJson(egress, {
    tenant,
    url: `${slack.url}/chat.postMessage`,
    headers: { authorization: `Bearer ${slack.token}` },
    body: { channel: to.user, text, blocks },
    allow: [{ host: slackUrl.hostname, port: portOf(slackUrl) }],
  })
  const judged = judgeStatus(answer, 'Slack')
  if (judged.kind !== 'sent') return judged
  const { ok, error } = answer.json() as { readonly ok?: boolean; readonly error?: string }
  if (ok === true) return { kind: 'sent' }
  return { kind: 'never', trouble: `Slack refused it (${String(error).slice(0, 80)}).` }
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

// Buttons with an address only open it: nothing is decided in Slack.
function slackBlocks({ headline, lines, url, actionUrl }: Message): readonly object[] {
  const button = (text: string, address: string): object => ({
    type: 'button',
    text: { type: 'plain_text', text },
    url: address,
  })
  const text = `*${escapeSlack(headline)}*\n${escapeSlack(lines.join('\n'))}`
  return [
    { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 3_000) } },
    {
      type: 'actions',
      elements: [
        button('Open', url),
        ...(actionUrl === undefined ? [] : [button('Decide without signing in', actionUrl)]),
      ],
    },
  ]
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

async function sendToWebhook(
  { url, secret }: Extract<Channel, { kind: 'webhook' }>['to'],
  { id, type, data }: Message,
  tenant: string,
  { egress, clock }: ChannelContext,
): Promise<Sent> {
  const nowMs = clock.now()
  const at = Math.floor(nowMs / 1_000)
  const body = JSON.stringify({ type, timestamp: new Date(nowMs).toISOString(), data })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signWebhook(secret, { id, at, body }),
  }
  return judgeStatus(await postJson(egress, { tenant, url, headers, body }), 'The webhook')
}

// Push services accept 4,096 bytes, of which encryption takes about a hundred.
const MOST_PUSHED_CHARACTERS = 500

async function sendPush(
  device: Extract<Channel, { kind: 'push' }>['device'],
  message: Message,
  tenant: string,
  { egress, clock, pushKeys, subject }: ChannelContext,
): Promise<Sent> {
  const nowMs = clock.now()
  const text = JSON.stringify({
    title: 'Waiting for you',
    body: message.headline.slice(0, MOST_PUSHED_CHARACTERS),
    url: message.url,
    tag: message.id,
  })
  const answer = await egress.fetch({
    tenant,
    url: device.endpoint,
    method: 'POST',
    redirect: 'stop',
    limits: { totalMs: TIMEOUT_MS },
    headers: {
      authorization: vapidAuthorization(pushKeys, { endpoint: device.endpoint, subject, nowMs }),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      urgency: 'high',
      // A browser that was off until then would show what can no longer be decided.
      ttl: String(Math.max(0, Math.ceil((message.expiresAt - nowMs) / 1_000))),
    },
    body: encryptPush(text, device),
  })
  return judgeStatus(answer, 'The push service')
}

type JsonPost = {
  readonly tenant: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is written as JSON; a text is sent as it was signed. */
  readonly body: object | string
  readonly allow?: readonly { readonly host: string; readonly port: number }[]
}

function postJson(
  egress: Egress,
  { headers, body, allow, ...sent }: JsonPost,
): Promise<EgressResponse> {
  return egress.fetch({
    ...sent,
    method: 'POST',
    redirect: 'stop',
    maxBytes: 65_536,
    limits: { totalMs: TIMEOUT_MS },
    headers: { 'content-type': 'application/json', 'user-agent': 'surehand', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(allow === undefined ? {} : { allow }),
  })
}

// These may succeed later; every other refusal stays one.
const LATER = new Set([401, 403, 408, 425, 429])

function judgeStatus({ status }: Pick<EgressResponse, 'status'>, who: string): Sent {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  const trouble = `${who} answered ${status}.`
  return { kind: status >= 500 || LATER.has(status) ? 'again' : 'never', trouble }
}
