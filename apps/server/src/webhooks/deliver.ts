import { createHmac, createSecretKey } from 'node:crypto'
import type { Stores } from '@surehand/core'
import { type Webhook, webhookForm } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import {
  type AdminItem,
  type Clock,
  type DeliveryResult,
  type Endpoint,
  type Hearing,
  type Notice,
  nextPart,
} from '@surehand/core/ports'
import { repeatEvery } from '@surehand/edge'
import type { Egress } from '@surehand/egress'

const LOOK_EVERY_MS = 1_000
// How many are sent at once: to one endpoint, for one tenant, and in all.
const MOST = { endpoint: 4, tenant: 16, all: 64 }
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
  const deliveries = createDeliveries(parts)
  const stop = repeatEvery(LOOK_EVERY_MS, deliveries.begin, {
    clock: parts.clock,
    onError: parts.onTrouble,
  })
  return async () => {
    stop()
    await deliveries.end()
  }
}

export type Deliveries = {
  /**
   * Begins to send what is due, as far as there is room, and does not wait for it: a slow endpoint
   * keeps no other waiting.
   */
  readonly begin: () => Promise<void>
  /** Resolves when nothing is under way any more. */
  readonly end: () => Promise<void>
}

/**
 * A notice in flight when its node dies is sent again; receivers recognise it by its id.
 */
export function createDeliveries(parts: WebhookContext): Deliveries {
  const underWay = new Map<Promise<void>, Endpoint>()

  function roomFor(endpoint: Endpoint): number {
    const all = [...underWay.values()]
    const ofTenant = all.filter(({ tenant }) => tenant === endpoint.tenant)
    const own = ofTenant.filter(({ webhook }) => webhook === endpoint.webhook)
    return Math.min(
      MOST.endpoint - own.length,
      MOST.tenant - ofTenant.length,
      MOST.all - all.length,
    )
  }

  async function begin(): Promise<void> {
    for (const endpoint of inTurn(await parts.stores.notices.endpoints())) {
      const room = roomFor(endpoint)
      if (room <= 0) continue
      for (const notice of await parts.stores.notices.due(endpoint, room, HOLD_MS)) {
        await nextPart()
        const delivery = deliver(notice, parts)
          .catch(parts.onTrouble)
          .finally(() => underWay.delete(delivery))
        underWay.set(delivery, endpoint)
      }
    }
  }

  return {
    begin,
    async end() {
      while (underWay.size > 0) await Promise.all(underWay.keys())
    },
  }
}

/** The first endpoint of each tenant, then the second of each, and so on. */
function inTurn(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const tenants = Map.groupBy(endpoints, ({ tenant }) => tenant)
  const most = Math.max(0, ...[...tenants.values()].map(({ length }) => length))
  return Array.from({ length: most }, (_, turn) =>
    [...tenants.values()].flatMap((own) => own.slice(turn, turn + 1)),
  ).flat()
}

async function deliver(notice: Notice, parts: WebhookContext): Promise<void> {
  const item = await parts.stores.admin.get(notice.tenant, 'webhook', notice.webhook)
  if (item === undefined) {
    const result = { trouble: 'The webhook was removed in the meantime.' }
    return parts.stores.notices.settle(notice, { kind: 'given_up' }, result)
  }
  const result = await attemptDelivery(notice, item, parts)
  // Several may run out of time at once.
  await nextPart()
  await parts.stores.notices.settle(notice, decideNext(result, notice, parts), result)
}

// A webhook that is switched off, or whose secret cannot be decrypted, is retried like one that
// cannot be reached: who repairs it within the pauses misses nothing.
async function attemptDelivery(
  notice: Notice,
  { unopened, value }: AdminItem,
  parts: WebhookContext,
): Promise<DeliveryResult> {
  if (unopened !== undefined) return { trouble: unopened.message }
  const webhook = webhookForm().parse(JSON.parse(value))
  if (webhook.disabled === true) return { trouble: 'The webhook is switched off.' }
  const { callId, tenant } = notice
  return sendToWebhook({ id: callId, tenant, body: toMessage(notice) }, webhook, parts)
}

/** A message; `id` is the same in every attempt, so that a receiver recognises a repeat. */
type WebhookMessage = { readonly id: string; readonly tenant: string; readonly body: object }

/** Signs a message and posts it once. */
export function sendToWebhook(
  { id, tenant, body: message }: WebhookMessage,
  { url, secret }: Webhook,
  { clock, egress }: Pick<WebhookContext, 'clock' | 'egress'>,
): Promise<DeliveryResult> {
  const body = JSON.stringify(message)
  const at = Math.floor(clock.now() / 1_000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'surehand',
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signWebhook(secret, { id, at, body }),
  }
  return post(egress, { tenant, url, headers, body, timeoutMs: TIMEOUT_MS })
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
  posted: DeliveryResult,
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
  // As a key object, of which Node makes a signature in a quarter of the time.
  const key = createSecretKey(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}

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
export async function post(egress: Egress, { timeoutMs, ...sent }: Post): Promise<DeliveryResult> {
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
