import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PackRequest, PackRoute, PackServices } from '@surehand/core/host'
import { eventKey, type MarketEvent } from './market-event.ts'
import { readWebhook } from './providers/read-webhook.ts'

const PATH = '/marketplace/whatsapp'
// WhatsApp sends at most 3 MB.
const MAX_BYTES = 4_000_000

/** WhatsApp's webhook: its verification, and the events. */
export const WEBHOOK_ROUTES: readonly PackRoute[] = [
  { method: 'GET', path: PATH, auth: 'none', handle: verifyAddress },
  { method: 'POST', path: PATH, auth: 'none', maxBytes: MAX_BYTES, handle: receiveEvents },
]

async function verifyAddress({ request, services }: PackRequest): Promise<Response> {
  const query = new URL(request.url).searchParams
  const expected = services.secret('WHATSAPP_VERIFY_TOKEN')
  const isOurs =
    expected !== undefined &&
    query.get('hub.mode') === 'subscribe' &&
    isEqual(query.get('hub.verify_token') ?? '', expected)
  return isOurs
    ? new Response(query.get('hub.challenge') ?? '', { headers: { 'content-type': 'text/plain' } })
    : new Response('The verify token is not the one of this server.\n', { status: 403 })
}

async function receiveEvents({ request, services }: PackRequest): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer())
  const secret = services.secret('WHATSAPP_APP_SECRET')
  if (secret === undefined)
    return new Response('WhatsApp is not configured: WHATSAPP_APP_SECRET is not set.\n', {
      status: 503,
    })
  if (!isSigned(body, request.headers.get('x-hub-signature-256') ?? '', secret))
    return new Response('The signature is not valid.\n', { status: 401 })
  const events = readWebhook(
    new TextDecoder().decode(body),
    services.setting('WHATSAPP_PHONE_NUMBER_ID'),
  )
  if (events === undefined)
    return new Response('This is not a webhook of WhatsApp.\n', { status: 400 })
  const stored = await Promise.all(events.map((event) => storeEvent(event, services)))
  // Without a 200 WhatsApp delivers all of it again; what was stored is recognized by its key.
  return stored.every((one) => one)
    ? new Response('', { status: 200 })
    : new Response('Some events could not be stored.\n', { status: 503 })
}

/** The tenant whose number it is. */
export function marketTenant(services: Pick<PackServices, 'setting' | 'home'>): string {
  return services.setting('MARKETPLACE_TENANT') ?? services.home
}

// The queued job is durable when this returns; a repeat is answered from the stored call.
async function storeEvent(event: MarketEvent, services: PackServices): Promise<boolean> {
  const outcome = await services.call({
    tool: 'marketplace.handle_event',
    input: { event },
    caller: services.systemCaller(marketTenant(services)),
    surface: 'webhook',
    idempotencyKey: eventKey(event),
  })
  if (outcome.status !== 'failed' || outcome.source === 'replayed') return true
  const { code, details } = outcome.error
  return STORED_BEFORE.has(code) && details?.settled !== false
}

// The event was stored by an earlier delivery: it is running, its outcome is open, or the texts of
// two deliveries differ. After any other failure it is not known to be stored, and likewise where the
// database was lost while it was being stored (`settled: false`): it is lost if nobody sends it again.
const STORED_BEFORE: ReadonlySet<string> = new Set([
  'TOOL_ALREADY_RUNNING',
  'TOOL_OUTCOME_UNKNOWN',
  'TOOL_IDEMPOTENCY_CONFLICT',
])

function isSigned(body: Uint8Array, header: string, secret: string): boolean {
  const [scheme, given = ''] = header.split('=')
  if (scheme !== 'sha256') return false
  return isEqual(given, createHmac('sha256', secret).update(body).digest('hex'))
}

function isEqual(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
