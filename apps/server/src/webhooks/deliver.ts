import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import type { Stores } from '@surehand/core'
import { type Webhook, webhookForm } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { AdminItem, Clock, Hearing, Notice } from '@surehand/core/ports'
import type { Egress } from '@surehand/egress'

const LOOK_EVERY_MS = 1_000
const AT_ONCE = 16
const HOLD_MS = 60_000
const TIMEOUT_MS = 10_000
const MINUTE_MS = 60_000
/**
 * Pauses between attempts; after the last one delivery is abandoned, after about a day and a half.
 */
const PAUSES_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  60 * MINUTE_MS,
  6 * 60 * MINUTE_MS,
  24 * 60 * MINUTE_MS,
]

export type WebhookContext = {
  readonly stores: Pick<Stores, 'notices' | 'admin'>
  readonly clock: Clock
  /** Enforces which hosts each tenant may reach. */
  readonly egress: Egress
  readonly random: () => number
  readonly onTrouble: (thrown: unknown) => void
}

/** Delivers notices of ended calls to webhooks until stopped. Every node may run it. */
export function startWebhooks(parts: WebhookContext): () => Promise<void> {
  let cancel = (): void => undefined
  let isOver = false
  let looking: Promise<void> = Promise.resolve()

  function schedule(): void {
    cancel = parts.clock.after(LOOK_EVERY_MS, () => {
      looking = deliverDue(parts)
        .catch(parts.onTrouble)
        .then(() => (isOver ? undefined : schedule()))
    })
  }

  schedule()
  return async () => {
    isOver = true
    cancel()
    await looking
  }
}

/**
 * Sends the notices that are due. A notice in flight when its node dies is sent again; receivers
 * recognise it by its id.
 */
export async function deliverDue(parts: WebhookContext): Promise<void> {
  const due = await parts.stores.notices.due(AT_ONCE, HOLD_MS)
  await Promise.all(due.map((notice) => deliver(notice, parts)))
}

async function deliver(notice: Notice, parts: WebhookContext): Promise<void> {
  const item = await parts.stores.admin.get(notice.tenant, 'webhook', notice.webhook)
  // The webhook was removed in the meantime.
  const hearing: Hearing =
    item === undefined
      ? { kind: 'given_up' }
      : decideNext(await attemptDelivery(notice, item, parts), notice, parts)
  await parts.stores.notices.settle(notice, hearing)
}

// A webhook whose secret cannot be decrypted is retried like one that cannot be reached.
async function attemptDelivery(
  notice: Notice,
  { unopened, value }: AdminItem,
  parts: WebhookContext,
): Promise<Posted> {
  return unopened === undefined
    ? send(notice, webhookForm().parse(JSON.parse(value)), parts)
    : { trouble: unopened.message }
}

function send(
  notice: Notice,
  { url, secret }: Webhook,
  { clock, egress }: WebhookContext,
): Promise<Posted> {
  const body = JSON.stringify(toMessage(notice))
  const at = Math.floor(clock.now() / 1_000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'surehand',
    'webhook-id': notice.callId,
    'webhook-timestamp': String(at),
    'webhook-signature': signWebhook(secret, { id: notice.callId, at, body }),
  }
  return post(egress, { tenant: notice.tenant, url, headers, body, timeoutMs: TIMEOUT_MS })
}

// The result is not sent: it may contain what must not appear in a receiver's log. A permitted
// caller fetches it.
function toMessage({ callId, toolId, toolVersion, state, code, endedAt }: Notice): object {
  return {
    type: 'call.ended',
    timestamp: new Date(endedAt).toISOString(),
    data: {
      call_id: callId,
      tool: toolId,
      tool_version: toolVersion,
      state,
      ...(code === undefined ? {} : { code }),
    },
  }
}

function decideNext(
  posted: Posted,
  { tries, webhook, callId }: Notice,
  { random, onTrouble }: WebhookContext,
): Hearing {
  const isHeard = 'status' in posted && posted.status >= 200 && posted.status < 300
  if (isHeard) return { kind: 'heard' }
  const pauseMs = PAUSES_MS[tries]
  // 410 Gone: the receiver asks for no further attempts.
  if (pauseMs !== undefined && !('status' in posted && posted.status === 410))
    return { kind: 'again', afterMs: pauseMs * (0.8 + 0.4 * random()) }
  const why = 'status' in posted ? `it responded with status ${posted.status}` : posted.trouble
  onTrouble(new Error(`The webhook "${webhook}" was not notified of ${callId}: ${why}.`))
  return { kind: 'given_up' }
}

/** A message as Standard Webhooks signs it: id, time in seconds, body. */
type Signable = { readonly id: string; readonly at: number; readonly body: string }

/** The signature: `v1,` and the base64 HMAC-SHA256 of id, time and body. */
export function signWebhook(secret: string, { id, at, body }: Signable): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}

type Posted = { readonly status: number } | { readonly trouble: string }

type Post = {
  readonly tenant: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
}

/**
 * Sends one request through egress: no redirects, no private hosts that are not allowed; the body
 * of the response is discarded.
 */
export async function post(egress: Egress, { timeoutMs, ...sent }: Post): Promise<Posted> {
  try {
    const answer = await egress.stream({
      ...sent,
      method: 'POST',
      redirect: 'stop',
      limits: { totalMs: timeoutMs },
    })
    answer.discard()
    return { status: answer.status }
  } catch (thrown) {
    return { trouble: toToolError(thrown).message }
  }
}
