import { ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import { z } from 'zod'
import type { Shopper } from '../commerce/commerce-port.ts'
import { type ShopAccess, type ShopRequest, sendToShop } from './send-to-shop.ts'
import { nullIfMissing } from './shop-commerce.ts'
import { toCart, UcpCheckout } from './ucp-checkout.ts'

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

const Service = z.object({ transport: z.string(), endpoint: z.string() })
const Profile = z.object({
  ucp: z.object({ services: z.object({ 'dev.ucp.shopping': z.array(Service) }) }),
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
    const found = ucp.services['dev.ucp.shopping'].find(({ transport }) => transport === 'rest')
    const origin = new URL(access.baseUrl).origin
    // A profile must not lead the visitor's orders to another site.
    if (found === undefined || new URL(found.endpoint).origin !== origin)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `The profile of ${origin} names no REST endpoint of its own for UCP shopping.`,
        { effect: 'none' },
      )
    const baseUrl = found.endpoint.replace(/\/$/, '')
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
          'ucp-agent': `profile="${profileUrl}"; version="${VERSION}"`,
        },
      })
    return sendToShop({ ...access, fetch }, request, UcpCheckout)
  }

  return send
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

  type Stored = { readonly method: 'POST' | 'PUT'; readonly path: string; readonly body: object }

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
    const isOpen =
      checkout !== null && checkout.status !== 'completed' && checkout.status !== 'canceled'
    const items = isOpen
      ? checkout.line_items.map(({ id, item, quantity }) => ({
          id,
          item: { id: item.id },
          quantity,
        }))
      : []
    const { items: next, codes } = apply({ items, codes: checkout?.discounts?.codes ?? [] })
    const body = {
      line_items: next,
      ...(codes.length === 0 ? {} : { discounts: { codes } }),
    }
    const stored: Stored = isOpen
      ? { method: 'PUT', path: `/checkout-sessions/${encodeURIComponent(checkout.id)}`, body }
      : { method: 'POST', path: '/checkout-sessions', body }
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
      return toCart(checkout, next)
    },
  }
}
