import { randomUUID } from 'node:crypto'
import { ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import { uuidOf } from '@surehand/core/internal'
import { z } from 'zod'
import type { Shopper } from '../commerce/commerce-port.ts'
import { type ShopAccess, type ShopRequest, sendToShop } from './send-to-shop.ts'
import { nullIfMissing } from './shop-commerce.ts'
import { appliedCodes, enteredParts, toCart, UcpCheckout, UcpRefusal } from './ucp-checkout.ts'

export type UcpParts = {
  /** The shop, whose profile is at /.well-known/ucp. */
  readonly accessFor: (tenant: string) => Promise<ShopAccess>
  readonly values: PackGiven['values']
  readonly now: () => number
  /** Identifies us to the shop. */
  readonly profileUrl: string
}

const KEPT_MS = 2 * 86_400_000
const VERSION = '2026-04-08'
const SPECIFICATION = `https://ucp.dev/${VERSION}`

/** What we know of the protocol, for shops that negotiate with us. */
export const UCP_PROFILE = {
  ucp: {
    version: VERSION,
    services: {
      'dev.ucp.shopping': [
        {
          version: VERSION,
          spec: `${SPECIFICATION}/specification/overview`,
          transport: 'rest',
          schema: `${SPECIFICATION}/services/shopping/rest.openapi.json`,
        },
      ],
    },
    capabilities: {
      'dev.ucp.shopping.checkout': [describeCapability('checkout')],
      'dev.ucp.shopping.fulfillment': [
        { ...describeCapability('fulfillment'), extends: 'dev.ucp.shopping.checkout' },
      ],
      'dev.ucp.shopping.discount': [
        { ...describeCapability('discount'), extends: 'dev.ucp.shopping.checkout' },
      ],
    },
    // The visitor pays at the shop: we handle no card.
    payment_handlers: {},
  },
}

function describeCapability(name: string) {
  return {
    version: VERSION,
    spec: `${SPECIFICATION}/specification/${name}`,
    schema: `${SPECIFICATION}/schemas/shopping/${name}.json`,
  }
}

const Service = z.object({ transport: z.string(), endpoint: z.string().optional() })
// Until January 2026 a service had one object with a key for each transport; the SDK still reads it.
const OldService = z
  .object({ rest: z.object({ endpoint: z.string() }).optional() })
  .transform(({ rest }) => [{ transport: 'rest', endpoint: rest?.endpoint }])
const Profile = z.object({
  ucp: z.object({
    services: z.object({ 'dev.ucp.shopping': z.union([z.array(Service), OldService]) }),
  }),
})

export type Change = {
  readonly items: readonly Item[]
  readonly codes: readonly string[]
}
export type Item = {
  readonly id?: string
  readonly item: { readonly id: string }
  readonly quantity: number
}

/** Sends requests to the endpoint that the shop's profile names. */
function ucpTransport({ accessFor, values, profileUrl }: UcpParts) {
  async function endpointOf(shopper: Shopper, signal: AbortSignal): Promise<ShopAccess> {
    const access = await accessFor(shopper.tenant)
    const key = `site/ucp-endpoint/${access.baseUrl}`
    const known = await values.get(shopper.tenant, key)
    if (known !== undefined) return { ...access, baseUrl: known }
    const request = { method: 'GET', path: '/.well-known/ucp', signal } as const
    const { ucp } = await sendToShop(access, request, Profile)
    const services: readonly z.output<typeof Service>[] = ucp.services['dev.ucp.shopping']
    const endpoint = services.find(({ transport }) => transport === 'rest')?.endpoint
    const origin = new URL(access.baseUrl).origin
    // A profile must not lead the visitor's orders to another site.
    if (endpoint === undefined || !URL.canParse(endpoint) || new URL(endpoint).origin !== origin)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `The profile of ${origin} names no REST endpoint of its own for UCP shopping.`,
        { effect: 'none' },
      )
    const baseUrl = endpoint.replace(/\/$/, '')
    await values.set(shopper.tenant, key, baseUrl, 3_600_000)
    return { ...access, baseUrl }
  }

  async function send(shopper: Shopper, request: ShopRequest): Promise<UcpCheckout> {
    const access = await endpointOf(shopper, request.signal)
    const fetch: ShopAccess['fetch'] = (url, init) =>
      access.fetch(url, {
        ...init,
        headers: {
          ...(init?.headers as Record<string, string>),
          'ucp-agent': `profile="${profileUrl}"`,
          'request-id': randomUUID(),
        },
      })
    const { idempotencyKey: key } = request
    // The protocol wants a UUID; one key always becomes the same one.
    const keyed = { ...request, ...(key === undefined ? {} : { idempotencyKey: uuidOf(key) }) }
    const answer = await sendToShop({ ...access, fetch }, keyed, z.union([UcpCheckout, UcpRefusal]))
    if ('id' in answer) return answer
    throw refusedBy(answer)
  }

  return send
}

function refusedBy({ messages, continue_url }: z.output<typeof UcpRefusal>): ToolError {
  const [message] = messages
  const code = message?.code ?? 'refused'
  return new ToolError(
    code === 'not_found' ? 'TOOL_RESOURCE_NOT_FOUND' : 'TOOL_GATE_CLOSED',
    `The shop refused it (${code}): ${message?.content.slice(0, 200)} Nothing was changed.`,
    { effect: 'refused', details: { source_code: code, continue_url: continue_url ?? null } },
  )
}

type Stored = { readonly method: 'POST' | 'PUT'; readonly path: string; readonly body: object }

/** The request that changes a checkout, or begins one where none is open. */
function makeRequest(checkout: UcpCheckout | null, apply: (now: Change) => Change): Stored {
  if (checkout === null || checkout.status === 'completed' || checkout.status === 'canceled') {
    const { items, codes } = apply({ items: [], codes: [] })
    const body = { line_items: items, ...(codes.length === 0 ? {} : { discounts: { codes } }) }
    return { method: 'POST', path: '/checkout-sessions', body }
  }
  const { items, codes } = apply({
    items: checkout.line_items.map(({ id, item, quantity }) => ({
      id,
      item: { id: item.id },
      quantity,
    })),
    codes: appliedCodes(checkout),
  })
  const lines = items.map(({ id }) => id)
  return {
    method: 'PUT',
    path: `/checkout-sessions/${encodeURIComponent(checkout.id)}`,
    body: {
      ...enteredParts(checkout, lines),
      line_items: items,
      ...(codes.length === 0 ? {} : { discounts: { codes } }),
    },
  }
}

/** Reads and changes the visitor's checkout. */
export function ucpClient(parts: UcpParts) {
  const { values } = parts
  const send = ucpTransport(parts)
  const idKey = ({ session }: Shopper): string => `site/ucp/${session}`
  const revisionKey = ({ session }: Shopper): string => `site/ucp-revision/${session}`

  async function read(shopper: Shopper, signal: AbortSignal): Promise<UcpCheckout | null> {
    const id = await values.get(shopper.tenant, idKey(shopper))
    if (id === undefined) return null
    const path = `/checkout-sessions/${encodeURIComponent(id)}`
    return nullIfMissing(send(shopper, { method: 'GET', path, signal }))
  }

  async function revision({ tenant, ...shopper }: Shopper): Promise<number> {
    return Number((await values.get(tenant, revisionKey({ tenant, ...shopper }))) ?? 0)
  }

  // Fixed by the first attempt: made anew from the current cart, a repetition would add again.
  async function requestOf(
    shopper: Shopper,
    { key, signal }: { readonly key: string; readonly signal: AbortSignal },
    apply: (now: Change) => Change,
  ): Promise<Stored> {
    const place = `site/ucp-request/${shopper.session}/${key}`
    const known = await values.get(shopper.tenant, place)
    if (known !== undefined) return JSON.parse(known) as Stored
    const checkout = await read(shopper, signal)
    const stored = makeRequest(checkout, apply)
    await values.set(shopper.tenant, place, JSON.stringify(stored), KEPT_MS)
    return stored
  }

  return {
    send,
    read,
    revision,
    async requireCheckout(shopper: Shopper, signal: AbortSignal): Promise<UcpCheckout> {
      const checkout = await read(shopper, signal)
      if (checkout !== null) return checkout
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'The visitor has no cart yet.', {
        effect: 'none',
      })
    },
    async change(
      shopper: Shopper,
      attempt: { readonly key: string; readonly signal: AbortSignal },
      apply: (now: Change) => Change,
    ) {
      const { method, path, body } = await requestOf(shopper, attempt, apply)
      const { key: idempotencyKey, signal } = attempt
      const checkout = await send(shopper, { method, path, body, idempotencyKey, signal })
      await values.set(shopper.tenant, idKey(shopper), checkout.id, KEPT_MS)
      const next = Math.max((await revision(shopper)) + 1, 1)
      await values.set(shopper.tenant, revisionKey(shopper), String(next), KEPT_MS)
      return { cart: toCart(checkout, next), checkout }
    },
  }
}
